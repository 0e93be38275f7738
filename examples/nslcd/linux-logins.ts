/** The tests that a Linux system passes which knows its users by the LDAP door: those of nslcd and of SSSD. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LdapDoor, openLdapDoor, password } from './ldap-door.ts';
import { type LinuxSystem, startLinux } from './linux-system.ts';

/** @param systemOf the files of `/etc` and the daemon, for a door */
export function itLogsUsersIn(systemOf: (door: LdapDoor) => Promise<Parameters<typeof startLinux>[1]>): void {
  let door: LdapDoor;
  let system: LinuxSystem;
  beforeAll(async () => {
    door = await openLdapDoor();
    system = await startLinux(door.folder, await systemOf(door));
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
}
