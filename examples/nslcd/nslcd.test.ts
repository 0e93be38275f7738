/** A Linux system that knows its users by nslcd, and has them log in by PAM: against the LDAP door of a real server. */
import { readFile } from 'node:fs/promises';
import { itLogsUsersIn } from './linux-logins.ts';

const own = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

itLogsUsersIn(async (door) => ({
  etc: {
    'nslcd.conf': door.named(await own('nslcd.conf')),
    'watchword-ca.pem': await readFile(door.ca, 'utf8'),
    'nsswitch.conf': 'passwd: files ldap\ngroup: files ldap\nshadow: files\nhosts: files\n',
    'pam.d/watchword': await own('watchword'),
  },
  daemon: ['nslcd', '-d'],
}));
