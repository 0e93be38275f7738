/** Settings of names and numbers that are reserved for systems; for the configuration only. */
import { integerSetting, preset, settingsOf, textSetting, withheld } from '../table/setting-row.ts';

/** Accounts and groups of Debian and Red Hat, and groups whose members may become root. */
const systemNames = [
  'root, toor, daemon, bin, sys, sync, halt, shutdown, games, man, lp, mail, news, uucp, proxy, www-data, backup, list, irc',
  'gnats, nobody, nogroup, ftp, sshd, ntp, _*, systemd-*, messagebus, dbus, polkitd, postgres, mysql, nginx, apache, openldap',
  'wheel, sudo, adm, tty, disk, kmem, shadow, docker, lxd, libvirt, ssl-cert',
].join(', ');

const namePattern = /^[^\p{Cc},\s]+$/u;

const wrongNames = (text: string): string | undefined =>
  namesIn(text).every((name) => namePattern.test(name))
    ? undefined
    : 'is not a list of names with commas between them, where * is any part of a name';

export const namesIn = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

const leastNumber = (of: string) =>
  withheld(
    integerSetting(
      `The least number of ${of} that systems are told of, and that a role may write. The same for all: the configuration sets it.`,
      { min: 1, max: 2_147_483_647 },
      1000,
    ),
    'entry',
  );

export const posixSettings = settingsOf('SshKey', {
  ReservedNames: withheld(
    preset(
      textSetting(
        'Names of accounts and groups that belong to systems themselves: nobody logs in over SSH by one, and no system is told of one. `*` is any part of a name. Beside these, only a name of a letter or `_`, and then letters, digits, `_`, `.`, `-` and `@`, is one of an account or a group. The same for all: the configuration sets it.',
        wrongNames,
      ),
      systemNames,
    ),
    'entry',
  ),
  MinUID: leastNumber('an account'),
  MinGID: leastNumber('a group'),
});
