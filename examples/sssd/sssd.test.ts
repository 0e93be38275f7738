/** A Linux system that knows its users by SSSD, and has them log in by PAM: against the LDAP door of a real server. */
import { readFile } from 'node:fs/promises';
import { itLogsUsersIn } from '../nslcd/linux-logins.ts';

const own = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

itLogsUsersIn(async (door) => ({
  etc: {
    'sssd/sssd.conf': door.named(await own('sssd.conf')),
    'watchword-ca.pem': await readFile(door.ca, 'utf8'),
    'nsswitch.conf': 'passwd: files sss\ngroup: files sss\nshadow: files\nhosts: files\n',
    'pam.d/watchword': await own('watchword'),
  },
  daemon: ['sssd', '-i', '--logger=stderr'],
}));
