/** The check of settings at run time by a host: as it would serve them, and as their author could change them again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vocabularyOf } from '@watchword/core';
import { Dn } from '@watchword/core/foundation';
import { bundled } from '@watchword/core/operator';
import type { RuntimeConfiguration } from '@watchword/core/ports';
import { openEngines } from '@watchword/engines/installation';
import { createLog } from '@watchword/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../config-file/config-file.ts';
import { withRuntimeSettings } from './layers.ts';
import { configured } from './reload.ts';

const base = 'dc=example,dc=org';
const caller = { administrator: Dn.parse(`uid=ada,${base}`), address: '192.0.2.1' };

let folder: string;
let check: RuntimeConfiguration['check'];
let close: () => Promise<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-check-'));
  const file = join(folder, 'watchword.yaml');
  await writeFile(
    file,
    `data: data
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
`,
    { mode: 0o600 },
  );
  const loaded = loadConfig(file, {}, vocabularyOf(bundled));
  const log = createLog({ level: 'silent', format: 'text' }, process.stderr);
  const engines = await openEngines(loaded.config, log, { applications: bundled });
  const ada = { objectclass: ['inetOrgPerson'], uid: ['ada'], cn: ['Ada'], sn: ['A'] };
  await engines.directory.service.add(caller.administrator, new Map(Object.entries(ada)));
  const layered = await withRuntimeSettings(loaded, engines);
  ({ check } = configured(engines, layered, { applications: bundled }).configuration);
  close = async () => {
    await engines.directory.close();
    await engines.close();
    await rm(folder, { recursive: true });
  };
});
afterAll(() => close());

const own = { super_admins: [`uid=ada,${base}`] };

it('accepts settings under which their author is a super administrator', async () => {
  await expect(check(own, caller)).resolves.toBeUndefined();
});

it.each([
  ['under which their author is none', { super_admins: [`uid=eve,${base}`] }, /super_admins would not/],
  [
    'that do not list the address of their author',
    { ...own, manager_clients: ['10.0.0.0/8'] },
    /manager_clients/,
  ],
  ['of which one is unknown', { ...own, websrv: {} }, /the settings at run time: websrv is not a known key/],
  [
    'with a gateway inside',
    { ...own, sms: { type: 'http', url: 'https://127.0.0.1/' } },
    /sms\.url leads to/,
  ],
  [
    'that no engine can be opened for',
    { ...own, push: { type: 'web', subject: 'https://x.example', key: 'no key' } },
    /push/,
  ],
])('refuses settings %s', async (_, settings, why) => {
  await expect(check(settings, caller)).rejects.toThrow(why);
});
