/** A data folder that moves into a database: what was used stays used, and nobody works in what is left. */
import { copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MadeRoles } from '../../../../core/src/administration/access/made/made-roles.ts';
import { type RoleConfig, readKeptRole } from '../../../../core/src/config/config.ts';
import { withInstallationSecret } from '../../../../core/src/doors/operator/secrets/digest-secret.ts';
import type { CertificateRecord } from '../../../../core/src/ports/store/certificate-records.ts';
import { runCommandLine } from '../../../../core/src/testing/bed/engines/command-line.ts';
import { type PostgresServer, startPostgres } from '../../../../core/src/testing/bed/engines/postgres.ts';
import { scratchFolder } from '../../../../core/src/testing/bed/scratch.ts';
import { KeptLog } from '../../../../core/src/testing/kept-log.ts';
import {
  openCertificateRecords,
  openEntryRecords,
  openEnvironment,
  openEventLog,
  openStore,
} from '../../../../embedded/src/index.ts';
import { ensureAuthority, openInstalledAuthority } from '../../../../engines/src/secrets/authority.ts';
import { openKept } from '../../../../engines/src/storage/kept.ts';
import { readKeyRing, systemClock, systemRandom } from '../../../../node/src/machine/index.ts';
import { createAuthority } from '../../../../pki/src/index.ts';
import { readConfiguration } from '../../index.ts';

const ports = { clock: systemClock, random: systemRandom };

let folder: string;
let postgres: PostgresServer;
let database: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await scratchFolder('migrate');
  postgres = await startPostgres();
  database = await postgres.createDatabase();
  const store = `{type: postgres, hosts: ["127.0.0.1:${postgres.port}"], database: ${database}, user: ${postgres.node.user}, password: "${postgres.node.password}", allow_plain: true}`;
  const common = `
directory: {type: ldap, urls: ["ldaps://localhost"], bind_dn: "cn=x", bind_password: x, base: "dc=example,dc=org"}
domains: {Default: {base: "dc=example,dc=org"}}
keys_file: keys
`;
  const other = await createAuthority({ commonName: 'Another', days: 2 }, ports);
  await writeFile(at('ca.pem'), other.certificate);
  await writeFile(at('ca.key'), other.key, { mode: 0o600 });
  await writeFile(at('old.yaml'), `data: old${common}`, { mode: 0o600 });
  const named = `data: new${common}store: ${store}\nca: {certificate: ca.pem, key: ca.key}\n`;
  await writeFile(at('new.yaml'), named, { mode: 0o600 });
  await fill();
  await writeFile(at('owner'), postgres.owner.password, { mode: 0o600 });
  expect(await typed('tables', '--user', postgres.owner.user, '--password-file', at('owner'))).toMatchObject({
    code: 0,
    errors: '',
  });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

const typed = (...args: readonly string[]) => runCommandLine([...args, '-c', at('new.yaml')]);
const migrate = () => typed('migrate', at('old'));

const certificate = (serial: string, more: { revoked?: number } = {}): CertificateRecord => ({
  ...{ serial, subject: 'CN=a', owner: 'uid=a', entry: 'entry-a', issued: 1000, notAfter: 9e15 },
  ...more,
});
const event = (text: string, count?: number) => ({
  ...{ time: Date.now(), client: '192.0.2.1:1', application: 'Otp', session: 'AAAAAAAA', text, dn: 'uid=a' },
  ...(count !== undefined && { count }),
});

const desk = readKeptRole({ members: ['uid=a,dc=b'], methods: ['*'], subtrees: ['dc=b'] }) as RoleConfig;
const roleWords = { read: () => desk, readKept: readKeptRole };

/** Some of everything, as servers would have left it. */
async function fill(): Promise<void> {
  const environment = await openEnvironment(at('old'));
  const store = openStore(environment, systemClock);
  await withInstallationSecret(readKeyRing(at('keys')), { store, random: systemRandom });
  for (let n = 0; n < 450; n += 1) await store.claim(`token:${n}`, n, 1000);
  await store.put('limits:web:user:a', Buffer.from('blocked'), 100_000_000);
  await new MadeRoles({ store, log: new KeptLog() }, roleWords).set({ name: 'desk', row: desk });
  await store.put('no-colon', Buffer.from([0, 255]), 1000);
  await store.put('over:a', Buffer.from('x'), -1);
  await openEntryRecords(environment).swap('entry-a', { before: undefined, after: 'text of a' });
  const certificates = openCertificateRecords(environment);
  for (const serial of ['0a', '0b']) await certificates.add(certificate(serial));
  await certificates.revoke('0a', 5);
  await certificates.noteRevoked({ serial: 'ff', notAfter: 9e15, revoked: 6 });
  const events = await openEventLog(environment);
  for (const [text, count] of [['one'], ['refused', 1], ['refused', 1], ['three']] as const)
    await events.append(event(text, count));
  await environment.close();
}

describe('migrate', () => {
  it('does nothing while a server works in the folder, or with other keys', async () => {
    const environment = await openEnvironment(at('old'));
    const store = openStore(environment, systemClock);
    await store.put('ring:a', Buffer.from('{"node":"process 7 on here","keys":[]}'), 60);
    expect(await migrate()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('process 7 on here works in'),
    });
    await store.remove('ring:a');
    await environment.close();
    const ours = readConfiguration(at('new.yaml'), {}).config.keys_file;
    await writeFile(at('other'), '/3fBH9mJoB0OHyNPVuPUuh7xO7U/HQeD7F4XcxQ6hsA=\n', { mode: 0o600 });
    const other = await runCommandLine(['migrate', at('old'), '-c', at('new.yaml')], {
      environment: { WATCHWORD_KEYS_FILE: at('other') },
    });
    expect(ours).toBe(at('keys'));
    expect(other).toMatchObject({
      code: 1,
      errors: expect.stringContaining('cannot be opened with the keys'),
    });
  });

  it('leaves the folder as it was where the database has something already, and moves nothing', async () => {
    await postgres.query(database, "INSERT INTO watchword.kept VALUES (true, 'a', 'b', '', 9e15)");
    expect(await migrate()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('holds something already'),
    });
    await postgres.query(database, 'DELETE FROM watchword.kept');
    const environment = await openEnvironment(at('old'));
    expect(environment.table('folder', {}).get('state')).not.toHaveProperty('moved');
    await environment.close();
  });

  it('moves nothing where another authority is named than that of the folder, whose key authority-key writes', async () => {
    const refused = (sentence: RegExp) => ({ code: 1, errors: expect.stringMatching(sentence) });
    const written = () => runCommandLine(['authority-key', '-c', at('old.yaml'), at('made.key')]);
    expect(await written()).toMatchObject(refused(/No authority was made in .*old yet; the first start/));
    const { config } = readConfiguration(at('old.yaml'), {});
    const made = await ensureAuthority({ config, keys: readKeyRing(at('keys')) });
    expect(await migrate()).toMatchObject(
      refused(
        /ca\.pem is not the authority of .*Put .*old\/ca\.pem in its place.*ca\.key: authority-key writes it/,
      ),
    );
    await copyFile(at('old/ca.pem'), at('ca.pem'));
    expect(await migrate()).toMatchObject(refused(/ca\.pem, and ca\.key, .*ca\.key/));
    expect(await postgres.query(database, 'SELECT 1 FROM watchword.kept')).toHaveLength(0);
    expect(await written()).toMatchObject({ code: 0, errors: '' });
    expect((await stat(at('made.key'))).mode & 0o777).toBe(0o600);
    expect(await written()).toMatchObject(refused(/made\.key is there already; name a new file/));
    expect(await typed('authority-key', at('new.key'))).toMatchObject(
      refused(/names its authority, whose key is in/),
    );
    expect(await runCommandLine(['authority-key', '-c', at('old.yaml')])).toMatchObject(
      refused(/needs a FILE/),
    );
    await rename(at('made.key'), at('ca.key'));
    await rename(at('old/ca-key.pem'), at('aside'));
    expect(await written()).toMatchObject(refused(/old\/ca-key\.pem is gone, or servers have worked with/));
    await rename(at('aside'), at('old/ca-key.pem'));
    // As servers on the database open it.
    await mkdir(at('new'));
    const named = { config: readConfiguration(at('new.yaml'), {}).config, keys: readKeyRing(at('keys')) };
    expect((await ensureAuthority(named)).certificate).toBe(made.certificate);
    await openInstalledAuthority(named);
  });

  it('moves all of it: claims, blocks, roles, records, certificates, revocations and events', async () => {
    expect(await migrate()).toMatchObject({
      code: 0,
      errors: '',
      printed: expect.stringContaining('kept: 454 values, 1 records of entries, 2 certificates, 3 events.'),
    });
    const { config } = readConfiguration(at('new.yaml'), {});
    const kept = await openKept(config, readKeyRing(config.keys_file));
    const { store, entryRecords, certificates, events } = kept;
    for (const n of [0, 7, 449]) {
      expect(await store.claimed(`token:${n}`)).toBe(n);
      expect(await store.claim(`token:${n}`, n, 60)).toBe(false);
    }
    expect(Buffer.from((await store.get('limits:web:user:a')) ?? '').toString()).toBe('blocked');
    expect([...((await store.get('no-colon')) ?? [])]).toEqual([0, 255]);
    expect(await store.get('over:a')).toBeUndefined();
    expect(await new MadeRoles({ store, log: new KeptLog() }, roleWords).read()).toEqual([
      { name: 'desk', row: desk },
    ]);
    expect(await entryRecords.read(['entry-a'])).toEqual(new Map([['entry-a', 'text of a']]));
    expect(await certificates.of({ entry: 'entry-a' })).toEqual([
      certificate('0a', { revoked: 5 }),
      certificate('0b'),
    ]);
    expect((await certificates.revoked(0)).map(({ serial }) => serial)).toEqual(['0a', 'ff']);
    const listed = await events.list({ application: 'Otp', dn: 'UID=a', max: 9 });
    expect(listed.map(({ text, count }) => [text, count])).toEqual([
      ['three', undefined],
      ['refused', 2],
      ['one', undefined],
    ]);
    await events.append(event('four'));
    expect((await events.list({ application: 'Otp', max: 1 }))[0]?.text).toBe('four');
    await kept.close();
  });

  it('leaves a folder that no server starts on, and no command works in', async () => {
    const gone = expect.stringContaining(
      `is in the database ${database} on 127.0.0.1:${postgres.port} now; set store`,
    );
    for (const args of [['--check'], ['keys'], ['restored', '--yes']])
      expect(await runCommandLine([...args, '-c', at('old.yaml')])).toMatchObject({ code: 1, errors: gone });
    expect(await migrate()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('holds something already'),
    });
    expect(await runCommandLine(['--check', '-c', at('old.yaml')])).toMatchObject({ errors: gone });
  });
});
