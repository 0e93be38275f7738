/**
 * Which names and numbers of accounts and groups a system may believe (RFC 2307; passwd(5), group(5)). A system that merges ours
 * with its own would otherwise take an entry called `root`, or one with number 0, for what is its own.
 */
import { read } from '../table/setting.ts';
import { integerSetting, preset, settingsOf, textSetting, withheld } from '../table/setting-row.ts';
import { onceFor, type Settings } from './data/layers.ts';

/** Accounts and groups that Debian and Red Hat make for themselves, and groups whose members become root. */
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

const namesIn = (text: string): readonly string[] => text.split(',').map((name) => name.trim());

const leastNumber = (of: string) =>
  withheld(
    integerSetting(
      `The least number of ${of} that systems are told of, and that a role may write.`,
      { min: 1, max: 2_147_483_647 },
      1000,
    ),
    'entry',
  );

export const posixSettings = settingsOf('SshKey', {
  ReservedNames: withheld(
    preset(
      textSetting(
        'Names of accounts and groups that belong to systems themselves: nobody logs in over SSH by one, and no system is told of one. `*` is any part of a name.',
        wrongNames,
      ),
      systemNames,
    ),
    'entry',
  ),
  MinUID: leastNumber('an account'),
  MinGID: leastNumber('a group'),
});

/** Judges names and numbers. Each answers with what is wrong, for people; undefined: nothing. */
export interface PosixRules {
  /** @param name of an account or a group, in any spelling that a directory takes for the same */
  wrongName(name: string): string | undefined;
  wrongUid(number: string): string | undefined;
  wrongGid(number: string): string | undefined;
}

/** @param presets those of the installation: an entry does not set what it is judged by */
export const posixRules: (presets: Settings) => PosixRules = onceFor((presets) => {
  const reserved = namesIn(read(presets, posixSettings.ReservedNames)).map(matcherOf);
  const [uid, gid] = [read(presets, posixSettings.MinUID), read(presets, posixSettings.MinGID)];
  return {
    wrongName: (name) => {
      const folded = fold(name);
      const isNumber = /^[0-9]+$/.test(folded) && Number(folded) < uid;
      if (!isNumber && !reserved.some((isLike) => isLike(folded))) return undefined;
      return `the name ${folded.slice(0, 64)} belongs to systems themselves (${posixSettings.ReservedNames.name})`;
    },
    wrongUid: (number) => wrongNumber(number, uid, posixSettings.MinUID.name),
    wrongGid: (number) => wrongNumber(number, gid, posixSettings.MinGID.name),
  };
});

function matcherOf(pattern: string): (folded: string) => boolean {
  const parts = pattern.split('*').map((part) => fold(part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 'u');
  return (folded) => expression.test(folded);
}

/** As directories compare names (RFC 4518 §2): without regard to case, width, invisible characters and outer spaces. */
const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .toLowerCase();

/** `setuid` takes these for "no change": whoever had one would keep the rights of root. */
const noChange: ReadonlySet<number> = new Set([0xffff, 0xffff_ffff]);

function wrongNumber(text: string, least: number, setting: string): string | undefined {
  const number = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 0xffff_ffff) || noChange.has(number))
    return `${text.slice(0, 64)} is no number of an account`;
  return number < least ? `the number ${number} is below ${least}, the least (${setting})` : undefined;
}

/** Returns whether a text is one field of a line of passwd(5) or group(5). */
export const isField = (text: string): boolean => !/[:\p{Cc}]/u.test(text);

/** Returns whether a text names an account, alone and in the list of a group's members. */
export const isAccountField = (text: string): boolean => text !== '' && isField(text) && !text.includes(',');
