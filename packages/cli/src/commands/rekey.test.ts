/** `rekey` and `keys` on an installation at rest; beside servers that run: `test/keys`. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceSettings } from '../../../core/src/config/config.ts';
import { keysOfData } from '../../../core/src/directory/data/sealed-data.ts';
import { announceRing } from '../../../core/src/doors/operator/secrets/node-rings.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { createService } from '../../../core/src/index.ts';
import { KeyRing } from '../../../core/src/ports/keys.ts';
import type { Engines } from '../../../core/src/ports/ports.ts';
import { readSources } from '../../../core/src/testing/architecture/source-file.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { createLog, systemRandom } from '../../../node/src/machine/index.ts';
import { readConfiguration } from '../index.ts';

const base = 'dc=example,dc=com';
const people = `ou=people,${base}`;
const newKey = (): string => randomBytes(32).toString('base64');
const idOf = (key: string): string => new KeyRing([Buffer.from(key, 'base64')], systemRandom).ids[0] ?? '';

let folder: string;
let file: string;
let older: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-rekey-'));
  file = join(folder, 'watchword.yaml');
  await writeFile(join(folder, 'password'), 'correct horse battery staple', { mode: 0o600 });
  await runCommandLine(['init', '-c', file, '--base', base, '--password-file', join(folder, 'password')]);
  const text = await readFile(join(folder, 'data', 'keys'), 'utf8');
  older = text.split('\n').find((line) => /^[^#]/.test(line)) ?? '';
});
afterEach(() => rm(folder, { recursive: true }));

const ask = (command: string) => runCommandLine([command, '-c', file]);
const useRing = (...keys: readonly string[]) =>
  writeFile(join(folder, 'data', 'keys'), `${keys.join('\n')}\n`, { mode: 0o600 });

async function withEngines<T>(work: (engines: Engines) => Promise<T>): Promise<T> {
  const { config } = readConfiguration(file, {});
  const engines = await openEngines(config, createLog(config.log, { write: () => {} }));
  try {
    return await work(engines);
  } finally {
    await engines.close();
  }
}

/** An entry with data under the ring's first key. */
async function addPerson({ directory: { service }, keys }: Engines, uid: string): Promise<string> {
  const dn = Dn.parse(`uid=${uid},${people}`);
  const attributes = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: ['x'], sn: ['x'] };
  await service.add(dn, new Map(Object.entries(attributes)));
  const id = String((await service.read(dn, ['entryuuid']))?.attributes.get('entryuuid')?.[0]);
  const value = `Otp.TokenType=VE9UUA==,Otp.TokenKey=${sealed(keys, `${id}:Otp.TokenKey`, uid)}`;
  await service.modify(dn, [{ operation: 'add', attribute: 'webadmData', values: [value] }]);
  return id;
}

const sealed = (keys: KeyRing, place: string, text: string): string =>
  `{wcrypt}${Buffer.from(keys.seal(Buffer.from(text), place)).toString('base64')}`;

async function dataOf({ directory, keys }: Engines, uid: string) {
  const entry = await directory.service.read(Dn.parse(`uid=${uid},${people}`), ['webadmdata', 'entryuuid']);
  const [value = ''] = (entry?.attributes.get('webadmdata') ?? []).map(String);
  const id = String(entry?.attributes.get('entryuuid')?.[0]);
  const bytes = Buffer.from(/\{wcrypt\}([^,]+)/.exec(value)?.[1] ?? '', 'base64');
  return { value, keys: keysOfData([value], keys), id, bytes };
}

describe('rekey', () => {
  it('seals all that is anywhere under the first key, and the old one may go', async () => {
    await withEngines(async (engines) => {
      for (const uid of ['one', 'two']) await addPerson(engines, uid);
      const { keys, store, entryRecords } = engines;
      const text = (id: string) =>
        JSON.stringify({ webadmdata: [`Otp.TokenKey=${sealed(keys, `${id}:Otp.TokenKey`, 'kept')}`] });
      await entryRecords.swap('dormant', { before: undefined, after: text('dormant') });
      for (const key of ['retry:a', 'last-code:a', 'mobile-offer:a', 'mobile-begun:a'])
        await store.put(key, keys.seal(Buffer.from(key), key), 600);
    });
    const newer = newKey();
    await useRing(newer, older);
    const result = await ask('rekey');
    expect(result).toMatchObject({ code: 0, errors: '' });
    const lines = result.printed.split('\n');
    expect(lines[0]).toBe(`9 secrets, of which 9 are not encrypted with ${idOf(newer)} yet.`);
    expect(lines.slice(-3)).toEqual([
      '9 of 9 secrets',
      `${idOf(newer)} encrypts: 9 secrets`,
      `${idOf(older)} only decrypts: 0 secrets`,
    ]);
    await useRing(newer);
    await withEngines(async (engines) => {
      const { keys, store, entryRecords } = engines;
      const { value, id, bytes } = await dataOf(engines, 'two');
      expect(value).toMatch(/^Otp\.TokenType=VE9UUA==,Otp\.TokenKey=\{wcrypt\}[^,]+$/);
      expect(Buffer.from(keys.open(bytes, `${id}:Otp.TokenKey`)).toString()).toBe('two');
      const record = JSON.parse((await entryRecords.read(['dormant'])).get('dormant') ?? '{}');
      const [, kept = ''] = /\{wcrypt\}(.+)/.exec(record.webadmdata[0]) ?? [];
      const opened = keys.open(Buffer.from(kept, 'base64'), 'dormant:Otp.TokenKey');
      expect(Buffer.from(opened).toString()).toBe('kept');
      for (const key of ['retry:a', 'last-code:a', 'mobile-offer:a', 'mobile-begun:a'])
        expect(Buffer.from(keys.open((await store.get(key)) ?? Buffer.alloc(0), key)).toString()).toBe(key);
      await engines.authority.probe();
    });
  });

  it('changes nothing when all secrets have the first key, and writes an audit entry', async () => {
    const before = await readFile(join(folder, 'data', 'ca-key.pem'), 'utf8');
    expect(await ask('rekey')).toMatchObject({ code: 0, errors: '' });
    expect(await readFile(join(folder, 'data', 'ca-key.pem'), 'utf8')).toBe(before);
    const events = await withEngines(({ events: log }) => log.list({ application: 'Manager', max: 1 }));
    expect(events[0]?.text).toMatch(/^root at watchword-manager: rekey: 2 secrets, 0 faults: done$/);
  });

  it('leaves digests as they are', async () => {
    const digest = () => withEngines(async ({ keys }) => keys.digest('text', 'test'));
    const before = await digest();
    const newer = newKey();
    await useRing(newer, older);
    expect(await digest()).toBe(before);
    await ask('rekey');
    await useRing(newer);
    expect(await digest()).toBe(before);
  });

  it('names who holds what no key can open, goes on with the others, and fails', async () => {
    const lost = newKey();
    const id = await withEngines(async (engines) => {
      await addPerson(engines, 'one');
      return addPerson(engines, 'lost');
    });
    const strange = new KeyRing([Buffer.from(lost, 'base64')], systemRandom);
    await withEngines(async ({ directory: { service }, keys }) => {
      const values = [
        `Otp.TokenKey=${sealed(strange, `${id}:Otp.TokenKey`, 'x')},Otp.Token2Key=${sealed(keys, `${id}:Otp.Token2Key`, 'fine')},Otp.Token3Key={wcrypt}AAAA`,
      ];
      await service.modify(Dn.parse(`uid=lost,${people}`), [
        { operation: 'replace', attribute: 'webadmData', values },
      ]);
    });
    const newer = newKey();
    await useRing(newer, older);
    const result = await ask('rekey');
    expect(result.code).toBe(1);
    const reason = 'a stored secret was encrypted under a key that is not in the ring';
    expect(result.errors.split('\n')).toEqual([
      `uid=lost,${people}: Otp.TokenKey: ${reason}`,
      `uid=lost,${people}: Otp.Token3Key: ${reason}`,
      expect.stringContaining('2 of the secrets above could not be re-encrypted and are unchanged'),
    ]);
    expect(result.printed).toContain(
      `${idOf(lost)} is not in keys_file, so its secrets cannot be read: 1 secret`,
    );
    expect(result.printed).toContain('damaged is not in keys_file');
    await withEngines(async (engines) => {
      expect((await dataOf(engines, 'lost')).keys).toEqual([idOf(lost), idOf(newer), undefined]);
      expect((await dataOf(engines, 'one')).keys).toEqual([idOf(newer)]);
    });
  });

  it('overwrites nothing that was written since it was read', async () => {
    const newer = newKey();
    await withEngines(async (engines) => {
      await addPerson(engines, 'one');
      await engines.store.put('retry:a', engines.keys.seal(Buffer.from('old'), 'retry:a'), 600);
    });
    await useRing(newer, older);
    await withEngines(async (engines) => {
      const { keys, store, directory, sealed: places } = engines;
      const holders = [];
      for (const place of places) for await (const page of place.items()) holders.push(...page);
      // A server with the new ring writes, after rekey has read and before it has written.
      await store.put('retry:a', keys.seal(Buffer.from('new'), 'retry:a'), 600);
      const dn = Dn.parse(`uid=one,${people}`);
      const { id } = await dataOf(engines, 'one');
      const values = [`Otp.TokenKey=${sealed(keys, `${id}:Otp.TokenKey`, 'new')}`];
      await directory.service.modify(dn, [{ operation: 'replace', attribute: 'webadmData', values }]);
      for (const holder of holders) expect(await holder.reseal()).toEqual([]);
      expect(
        Buffer.from(keys.open((await store.get('retry:a')) ?? Buffer.alloc(0), 'retry:a')).toString(),
      ).toBe('new');
      const { bytes } = await dataOf(engines, 'one');
      expect(Buffer.from(keys.open(bytes, `${id}:Otp.TokenKey`)).toString()).toBe('new');
    });
  });

  it('says how to change the key when there is nothing to do', async () => {
    await withEngines((engines) => addPerson(engines, 'one'));
    const result = await ask('rekey');
    expect([result.code, result.printed.split('\n')[1]]).toEqual([
      0,
      `To change the key, first add a new first line to ${join(folder, 'data', 'keys')} and restart the servers.`,
    ]);
  });

  it('waits for servers that have not read the new ring', async () => {
    const end = await withEngines((engines) => announceRing('watchword-ws', engines));
    await useRing(newKey(), older);
    const result = await ask('rekey');
    expect(result.code).toBe(1);
    expect(result.errors).toMatch(
      /process \d+ on \S+ \(watchword-ws\) does not encrypt with [0-9a-f]{8}, the first key of keys_file, yet/,
    );
    expect((await ask('keys')).printed).toMatch(
      /^process \d+ on \S+ \(watchword-ws\) encrypts with [0-9a-f]{8}$/m,
    );
    await end().catch(() => undefined); // its store is closed
  });

  it('refuses when there is no database', async () => {
    await rm(join(folder, 'data'), { recursive: true });
    expect((await ask('rekey')).errors).toContain('There is no database in ');
    expect((await ask('keys')).errors).toContain('There is no database in ');
  });
});

describe('keys', () => {
  it('shows the number of secrets of each key, and which key may be removed', async () => {
    await withEngines((engines) => addPerson(engines, 'one'));
    const newer = newKey();
    await useRing(newer, older);
    expect((await ask('keys')).printed.split('\n')).toEqual([
      `${idOf(newer)} encrypts: 0 secrets`,
      `${idOf(older)} only decrypts: 3 secrets`,
    ]);
    await ask('rekey');
    expect((await ask('keys')).printed.split('\n').at(-1)).toBe(
      `No secret is encrypted with ${idOf(older)} any more: remove it from ${join(folder, 'data', 'keys')}, unless a backup needs it.`,
    );
  });

  it('shows them by Server_Status, to super administrators only', async () => {
    const newer = newKey();
    await useRing(newer, older);
    await withEngines(async (engines) => {
      const { config } = readConfiguration(file, {});
      const service = createService(serviceSettings(config), engines);
      const password = 'correct horse battery staple';
      const { manager, close } = await service.manager.login({ username: 'admin', password });
      expect((await manager.Server_Status({ keys: true })).keys).toEqual([
        { id: idOf(newer), use: 'encrypts', values: 0 },
        { id: idOf(older), use: 'decrypts', values: 2 },
      ]);
      expect(await manager.Server_Status()).not.toHaveProperty('keys');
      await close();
      await service.close();
    });
  });
});

it('knows every module that seals values', () => {
  const sealing = readSources((path) => !/\.test\.ts$|\/testing\//.test(path))
    .filter(({ reads, path }) => reads.has('seal') && path !== 'packages/core/src/ports/keys.ts')
    .map(({ path }) => path.replace('packages/core/src/', ''));
  expect(sealing.sort()).toEqual([
    'administration/badging/badge.ts',
    'administration/configuration/versions.ts',
    'administration/directory-sync/record.ts',
    'administration/inventory/item.ts',
    'applications/otp/mobile/mobile-record.ts',
    'applications/otp/transaction/extern/link.ts',
    'applications/phone/transaction.ts',
    'applications/self-service/desk/session.ts',
    'applications/self-service/link/link.ts',
    'applications/ssh-key/recording/recording.ts',
    'applications/sso/openid/signing-keys.ts',
    'applications/sso/openid/state.ts',
    'applications/sso/session.ts',
    'authenticators/last-code.ts',
    'directory/data/data.ts',
    'doors/manager/portal/waiting-credentials.ts', // under a key of the challenge's session, which is in no ring
    'doors/manager/session/session-record.ts', // under a key of the session's cookie, which is in no ring
    'doors/operator/secrets/digest-secret.ts',
    'doors/web/idempotency-cache.ts',
    'messaging/stored-message.ts',
    'packages/engines/src/secrets/authority.ts',
  ]);
});
