/** `node program.ts`: logs Alice of `people.json` in, with a password that is right and one that is wrong. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '@watchword/core';
import { openEmbedded } from '@watchword/engines';
import { openJsonDirectory } from './json-directory.ts';

const folder = await mkdtemp(join(tmpdir(), 'watchword-own-directory-'));
const directory = openJsonDirectory(join(import.meta.dirname, 'people.json'));
const base = 'dc=example,dc=org';
const engines = await openEmbedded(folder, { base });
const settings = { domains: { Default: { base } }, settings: { 'Otp.LoginMode': 'LDAP' } } as const;
const service = createService(settings, { ...engines, directory });
for (const ldapPassword of ['alice-Pa55', 'a guess']) {
  const { code, message } = await service.web.otp.normalLogin({ username: 'alice', ldapPassword });
  console.log(code, message);
}
await service.close();
await engines.close();
await rm(folder, { recursive: true });
