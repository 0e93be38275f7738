/** A service in this process, on the embedded directory, with users who have a token: for rows that compare two of its ways. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, Dn } from '@watchword/core';
import { openEmbedded } from '@watchword/engines';
import { systemClock } from '@watchword/node';

const base = 'dc=example,dc=org';
const admin = { username: `uid=admin,${base}`, password: 'Adm1n-of-all' };
export const users = Array.from({ length: 16 }, (_, index) => `user${index}`);
export const secretOf = (name) => Buffer.from(name.padEnd(20, '.'));

export const settings = {
  ...{ manager_auth: 'DN', super_admins: [admin.username] },
  limits: { login_failure_delay_ms: 0 },
  settings: { 'Otp.LoginMode': 'OTP' },
};

/** @param config its settings; the clock it gives can be set ahead */
export async function open(config) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const engines = await openEmbedded(folder, { base, log, settings: config });
  const entry = {
    objectclass: ['inetOrgPerson'],
    cn: ['Admin'],
    sn: ['Admin'],
    userpassword: [admin.password],
  };
  await engines.directory.service.add(Dn.parse(admin.username), new Map(Object.entries(entry)));
  const { sms: _, ...rest } = config;
  const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead };
  const service = createService({ ...rest, domains: { Default: { base } } }, { ...engines, clock });
  const { manager, close } = await service.manager.login(admin);
  for (const uid of users) {
    const dn = `uid=${uid},${base}`;
    const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: uid, sn: uid };
    await manager.Create_LDAP_Object({ dn, attrs });
    await manager.Otp.TOTP_Register({ dn, key: secretOf(uid).toString('base64') });
    await manager.SshKey.Key_Register({ dn, type: 'ED25519' });
  }
  return {
    ...{ service, manager, clock },
    close: async () => {
      await close();
      await service.close();
      await engines.close();
      await rm(folder, { recursive: true });
    },
  };
}
