/** A Linux system that knows its users by SSSD, and has them log in by PAM: against the LDAP door of a real server. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LdapDoor, openLdapDoor, password } from '../nslcd/ldap-door.ts';
import { type LinuxSystem, startLinux } from '../nslcd/linux-system.ts';

const own = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

let door: LdapDoor;
let system: LinuxSystem;
beforeAll(async () => {
  door = await openLdapDoor();
  const etc = {
    'sssd/sssd.conf': door.named(await own('sssd.conf')),
    'watchword-ca.pem': await readFile(door.ca, 'utf8'),
    'nsswitch.conf': 'passwd: files sss\ngroup: files sss\nshadow: files\nhosts: files\n',
    'pam.d/watchword': await own('watchword'),
  };
  system = await startLinux(door.folder, { etc, daemon: ['sssd', '-i', '--logger=stderr'] });
});
afterAll(async () => {
  await system?.stop();
  await door?.close();
});

it('knows its users, and their groups', async () => {
  const user = await system.run('getent', ['passwd', 'alice']);
  expect(user).toEqual({ code: 0, said: 'alice:*:20001:20000:Alice:/home/alice:/bin/bash\n' });
  expect((await system.run('id', ['alice'])).said).toContain('20002(staff)');
});

it('lets a user in by password and code, once', async () => {
  for (let times = 0; times < 2; times += 1) {
    const typed = password + (await door.newCode());
    expect(await system.authenticate('alice', typed)).toMatchObject({ code: 0 });
    expect(await system.authenticate('alice', typed)).toMatchObject({ code: 1 });
  }
});

it.each([
  ['a wrong password', 'alice', 'wrong'],
  ['the password without a code', 'alice', password],
  ['nobody', 'nobody-here', password],
])('refuses %s', async (_, username, typed) => {
  expect(await system.authenticate(username, typed)).toMatchObject({ code: 1 });
});
