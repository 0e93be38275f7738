/** A server with an open LDAP door and some users, for tests of programs that log users in by LDAP. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServers, readConfiguration, startServers } from '@watchword/cli';
import { Dn } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { openEngines } from '@watchword/engines';
import { webServiceCommand } from '@watchword/server-ws';

const base = 'dc=example,dc=com';
export const password = 'Correct-Horse-7';

const settings = `
data: data
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
ws: {port: 0}
ldap_door: {ldaps_port: 0}
limits: {login_failure_delay_ms: 0}
`;

export interface LdapDoor {
  readonly folder: string;
  /** An authority's certificate, PEM. */
  readonly ca: string;
  /** Replaces the names that an example's file has in its guide by those of this server. */
  named(text: string): string;
  /** A code of alice, good once. */
  newCode(): Promise<string>;
  close(): Promise<void>;
}

export async function openLdapDoor(): Promise<LdapDoor> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-linux-'));
  await writeFile(join(folder, 'watchword.yaml'), settings, { mode: 0o600 });
  const { config } = readConfiguration(join(folder, 'watchword.yaml'), {});
  const engines = await openEngines(config, new KeptLog());
  const own = { objectclass: ['inetOrgPerson'], cn: ['admin'], sn: ['admin'], userpassword: [password] };
  await engines.directory.service.add(Dn.parse(`uid=admin,${base}`), new Map(Object.entries(own)));
  const running = await startServers([webServiceCommand], config, engines);
  const alice = await addPeople(running);
  const port = running.doors[0]?.port ?? 0;
  return {
    folder,
    ca: join(folder, 'data', 'ca.pem'),
    named: (text) =>
      text
        .replace('ldaps://login.example.com', `ldaps://localhost:${port}`)
        .replace('the-password-of-lookups', password),
    newCode: async () => {
      const { manager, close } = await running.service.manager.login({ username: 'admin', password });
      const code = await manager.Otp.Emerg_Register({ dn: alice, expires: 600, maxuse: 1 });
      await close();
      return String(code);
    },
    close: async () => {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** @returns the DN of alice, who has an account of Linux */
async function addPeople({ service }: RunningServers): Promise<string> {
  const { manager, close } = await service.manager.login({ username: 'admin', password });
  const classes = ['inetOrgPerson', 'webadmAccount'];
  const own = { cn: 'Alice', sn: 'Liddell', userpassword: password };
  const posix = {
    uidnumber: '20001',
    gidnumber: '20000',
    homedirectory: '/home/alice',
    loginshell: '/bin/bash',
  };
  const alice = `uid=alice,${base}`;
  const lookups = `uid=lookups,ou=systems,${base}`;
  await manager.Create_LDAP_Object({
    dn: `ou=systems,${base}`,
    attrs: { objectclass: 'organizationalUnit' },
  });
  await manager.Create_LDAP_Object({
    dn: alice,
    attrs: { ...own, ...posix, objectclass: [...classes, 'posixAccount'] },
  });
  await manager.Create_LDAP_Object({
    dn: `cn=staff,${base}`,
    attrs: { objectclass: 'posixGroup', gidnumber: '20002', memberuid: 'alice' },
  });
  await manager.Create_LDAP_Object({ dn: lookups, attrs: { ...own, objectclass: classes } });
  await manager.Set_User_Settings({ dn: lookups, settings: { 'Otp.LoginMode': 'LDAP' } });
  await close();
  return alice;
}
