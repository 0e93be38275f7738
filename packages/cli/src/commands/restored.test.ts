/**
 * A data folder comes back from a copy, and what was used since the copy was good once: codes of every kind, a challenge,
 * a session, a revoked certificate. `restored` closes it; without it nothing opens the folder.
 *
 * Seen to fail with the guard taken out: in packages/engines/src/engines.ts, leave out `enterFolder`; in
 * doors/operator/restoration/older-folder.ts, the check of the file, of the run or of what was turned back; in doors/operator/restoration, `raiseTimeFloor`, `closeBelow`, the swap of `closeRecord`, either line of `endUnderWay`,
 * `noteRevoked`; in applications/otp/token/token-administration.ts, read what is claimed alone; in
 * packages/pki/src/revocation-list.ts, `isSignedBy`.
 */
import { createSecretKey, hash } from 'node:crypto';
import { copyFile, cp, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteFolder } from '@watchword/core/operator';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../../../core/src/applications/index.ts';
import { raiseTimeFloor } from '../../../core/src/authenticators/claim-keys.ts';
import {
  type CodeList,
  codesOf,
  emergencyChanges,
  emergencyOf,
  listChanges,
  makeList,
} from '../../../core/src/authenticators/lists.ts';
import { tokenChanges } from '../../../core/src/authenticators/token-data.ts';
import { serviceSettings } from '../../../core/src/config/config.ts';
import { type DataChanges, swapData } from '../../../core/src/directory/data/data.ts';
import { findEntryRef } from '../../../core/src/directory/data/user-data.ts';
import type { ManagerCalls } from '../../../core/src/doors/manager/methods.ts';
import { hotp } from '../../../core/src/foundation/oath/hotp.ts';
import { totp } from '../../../core/src/foundation/oath/totp.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { createService } from '../../../core/src/index.ts';
import type { Engines } from '../../../core/src/ports/ports.ts';
import { createCore, type Service } from '../../../core/src/service.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { createLog } from '../../../node/src/machine/index.ts';
import { readConfiguration } from '../index.ts';

const base = 'dc=example,dc=com';
const password = 'correct horse battery staple';
const secret = Buffer.from('12345678901234567890');
const source = { secret: createSecretKey(secret), digits: 6, period: 30 };
const people = ['hotp', 'totp', 'list', 'emergency'] as const;
type Person = (typeof people)[number];

let folder: string;
let file: string;
let list: CodeList;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-restored-'));
  file = join(folder, 'watchword.yaml');
  await writeFile(join(folder, 'password'), password, { mode: 0o600 });
  await run('init', '--base', base, '--password-file', join(folder, 'password'));
  await withNode(makePeople);
});
afterEach(() => rm(folder, { recursive: true }));

const run = (command: string, ...more: readonly string[]) => runCommandLine([command, '-c', file, ...more]);
const at = (...names: readonly string[]): string => join(folder, ...names);

interface Node {
  readonly engines: Engines;
  readonly service: Service;
  readonly view: ReturnType<typeof createCore>;
}

interface NodeOptions {
  /** Opened although it was put back: what a server without the guard would do. */
  readonly older?: boolean;
  /** Minutes that the clock is ahead. */
  readonly ahead?: number;
}

/** The folder as a server has it open, while the work lasts. */
async function withNode<T>(
  work: (node: Node) => Promise<T>,
  { older = false, ahead = 0 }: NodeOptions = {},
): Promise<T> {
  const { config } = readConfiguration(file, {});
  const opened = await openEngines(config, createLog(config.log, { write: () => {} }), { older });
  const { clock } = opened;
  const engines = { ...opened, clock: { ...clock, now: () => clock.now() + ahead * 60_000 } };
  const settings = serviceSettings({
    ...config,
    limits: { ...config.limits, login_failure_delay_ms: 0, user_failures: 1000 },
    settings: { 'Otp.LoginMode': 'OTP', 'Otp.MaxTries': '1000' },
  });
  const service = createService(settings, engines);
  const core = createCore(settings, engines, bundled);
  try {
    return await work({ engines, service, view: core });
  } finally {
    await service.close();
    await engines.close();
  }
}

const dnOf = (person: string): Dn => Dn.parse(`uid=${person},ou=people,${base}`);

async function makePeople({ view }: Node): Promise<void> {
  list = makeList({ digits: 6, size: 20, secretLength: 20 }, view.random);
  const now = Math.floor(Date.now() / 1000) * 1000;
  const terms = { start: now - 1000, end: now + 86_400_000, uses: 3 };
  const has: Readonly<Record<Person, DataChanges>> = {
    hotp: tokenChanges(1, { type: 'HOTP', secret, state: { counter: 5 } }),
    totp: tokenChanges(1, { type: 'TOTP', secret, state: { step: 0, drift: 0 } }),
    list: listChanges(list),
    emergency: emergencyChanges(emergencyOf('help-me-now', terms)),
  };
  for (const person of people) {
    const attributes = {
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      ...{ uid: [person], cn: [person], sn: [person] },
      ...(person === 'list' && { webadmsettings: ['Otp.OTPType=LIST'] }),
    };
    await view.directory.add(dnOf(person), new Map(Object.entries(attributes)));
    await swapData(await findEntryRef(dnOf(person), view), () => has[person], view);
  }
}

async function withManager<T>({ service }: Node, work: (manager: ManagerCalls) => Promise<T>): Promise<T> {
  const session = await service.manager.login({ username: 'admin', password });
  const done = await work(session.manager);
  await session.close();
  return done;
}

const login = async ({ service }: Node, username: string, otpPassword: string): Promise<number> =>
  (await service.web.otp.normalLogin({ username, otpPassword })).code;

/** One code of each kind, which somebody saw when it was used. */
const seen = (): readonly (readonly [Person, string])[] => [
  ['hotp', hotp(source, 5)],
  ['totp', totp(source, Date.now())],
  ['list', codesOf(list)[3] ?? ''],
  ['emergency', 'help-me-now'],
];
type Seen = ReturnType<typeof seen>;

async function use(node: Node, codes: Seen): Promise<readonly number[]> {
  const answers: number[] = [];
  for (const [person, code] of codes) answers.push(await login(node, person, code));
  return answers;
}

const all = people.map(() => 1);
const none = people.map(() => 0);

/** A backup, then every code is used. @returns the codes */
async function useAfterBackup(): Promise<Seen> {
  expect((await run('backup', at('copy'))).code).toBe(0);
  const codes = seen();
  expect(await withNode((node) => use(node, codes))).toEqual(all);
  return codes;
}

async function putBack(): Promise<void> {
  await rename(at('data'), at('lost'));
  await rename(at('copy'), at('data'));
  await copyFile(at('lost', 'keys'), at('data', 'keys'));
}

describe('a folder that was put back', () => {
  it('would take every code once more, so nothing opens it before `restored`', async () => {
    const codes = await useAfterBackup();
    await putBack();
    await expect(withNode(async () => {})).rejects.toThrow(
      / is a copy that was taken on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, and knows nothing of what was used since\. Type this first: watchword-manager restored --config FILE$/,
    );
    const checked = await runCommandLine(['--check', '-c', file]);
    expect([checked.code, checked.errors]).toEqual([
      1,
      expect.stringContaining('watchword-manager restored'),
    ]);
    expect(await withNode((node) => use(node, codes), { older: true })).toEqual(all);
  });

  it('takes none of them after it, nor later on, and the next ones when the window has passed', async () => {
    const codes = await useAfterBackup();
    await putBack();
    const { code, errors, printed } = await run('restored', '--yes');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(printed).toMatch(/HOTP tokens: 1, raised by 26 counters or more/);
    expect(printed).toContain('Printed lists: 1 removed. Emergency passwords: 1 removed.');
    expect(printed).toContain('Users concerned: 3.');
    expect(await withNode((node) => use(node, codes))).toEqual(none);
    // At the edge of the window, in the time that follows and after it.
    for (const minute of [0.5, 1, 1.5, 2, 2.5, 3])
      expect(await withNode((node) => use(node, codes), { ahead: minute })).toEqual(none);
    const soon = Date.now() + 30_000;
    expect(await withNode((node) => login(node, 'totp', totp(source, soon)))).toBe(0);
    const later = Date.now() + 5 * 60_000;
    expect(await withNode((node) => login(node, 'totp', totp(source, later)), { ahead: 5 })).toBe(1);
    const counters = Array.from({ length: 26 }, (_, used) => hotp(source, 5 + used));
    for (const used of counters) expect(await withNode((node) => login(node, 'hotp', used))).toBe(0);
    expect(await withNode((node) => login(node, 'hotp', hotp(source, 31)))).toBe(1);
    const audit = await withNode(({ engines }) =>
      engines.events.list({ application: 'Manager', dn: dnOf('list').format(), max: 1 }),
    );
    expect(audit[0]?.text).toContain(
      'restored: 0 HOTP tokens raised, 1 lists and 0 emergency passwords removed',
    );
  });

  it('raises HOTP tokens by what is named, or by what the days since may have used', async () => {
    await useAfterBackup();
    await putBack();
    const moment = (days: number) =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
    const dry = async (...more: readonly string[]) =>
      /raised by (\d+)/.exec((await run('restored', '--dry-run', ...more)).printed)?.[1];
    expect(await dry('--taken', moment(2.5))).toBe('76');
    expect(await dry('--hotp-uses', '7')).toBe('11'); // never within the look-ahead
    expect(await dry('--hotp-uses', '99')).toBe('100');
    expect((await run('restored', '--hotp-uses', 'many')).errors).toContain(
      '"many" is not a number of codes',
    );
  });

  it('stays unchanged with --dry-run, and when the operator declines', async () => {
    const codes = await useAfterBackup();
    await putBack();
    const before = await run('export-ldif');
    const dry = await run('restored', '--dry-run');
    expect([dry.code, dry.printed]).toEqual([
      0,
      expect.stringContaining('would be invalidated; nothing was written'),
    ]);
    expect((await run('restored')).errors).toContain('There is no terminal to ask at.');
    const no = await runCommandLine(['restored', '-c', file], { typed: ['no'] });
    expect([no.code, no.errors]).toEqual([1, expect.stringContaining('Nothing was done.')]);
    expect((await run('export-ldif')).output).toBe(before.output);
    expect(await withNode((node) => use(node, codes), { older: true })).toEqual(all);
  });

  it('reports nothing to do when it is repeated', async () => {
    await useAfterBackup();
    await putBack();
    await run('restored', '--yes');
    const before = (await run('export-ldif')).output;
    const again = await run('restored', '--yes');
    expect([again.code, again.printed]).toEqual([0, expect.stringContaining('there is nothing to do')]);
    expect((await run('export-ldif')).output).toBe(before);
  });

  it('ends all challenges and sessions', async () => {
    const asked = await withNode(({ service }) =>
      service.web.otp.normalLogin({ username: 'totp', settings: 'OTP.ChallengeMode=Yes' }),
    );
    const session = asked.code === 2 ? asked.session : '';
    expect(session).not.toBe('');
    const kept = ['session', 'last-code', 'retry', 'mobile-pending'].map((family) => `${family}:x`);
    await withNode(async ({ engines: { store } }) => {
      for (const key of kept) await store.put(key, Buffer.from('x'), 3600);
    });
    await run('backup', at('copy'));
    await putBack();
    const answer = ({ service }: Node) =>
      service.web.otp.challenge({
        username: 'totp',
        session,
        otpPassword: totp(source, Date.now() + 240_000),
      });
    expect((await run('restored', '--yes')).printed).toContain('Logins that waited for a code: 1 ended.');
    expect(await withNode(answer, { ahead: 4 })).toMatchObject({ code: 0, error: 'NoSession' });
    const left = await withNode(({ engines: { store } }) => Promise.all(kept.map((key) => store.get(key))));
    expect(left).toEqual(kept.map(() => undefined));
  });
});

it('refuses a used code for a resynchronisation, too', async () => {
  const resync = (otp: string, node: Node) =>
    withManager(node, (manager) => manager.Otp.TOTP_Resync({ dn: dnOf('totp').format(), otp }));
  const codes = await useAfterBackup();
  await putBack();
  await run('restored', '--yes');
  const used = codes.find(([person]) => person === 'totp')?.[1] ?? '';
  expect(await withNode((node) => resync(used, node))).toBe(false);
  const later = totp(source, Date.now() + 600_000);
  expect(await withNode((node) => resync(later, node))).toBe(1);
});

/** `*` matches every name, `run-*` those that begin so. */
const matches = (name: string, pattern: string): boolean =>
  pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

describe('a folder that nobody said was put back', () => {
  it('detects a copy by its file when the servers were stopped', async () => {
    await withNode(async () => {});
    await cp(at('data'), at('copy'), { recursive: true, preserveTimestamps: true });
    const codes = seen();
    expect(await withNode((node) => use(node, codes))).toEqual(all);
    await rename(at('data'), at('lost'));
    await rename(at('copy'), at('data'));
    await expect(withNode(async () => {})).rejects.toThrow('was put back from a copy, or moved');
    expect((await run('restored', '--yes')).code).toBe(0);
    expect(await withNode((node) => use(node, codes))).toEqual(none);
  });

  it('goes on where it was moved to, when the operator says so', async () => {
    await withNode(async () => {});
    await cp(at('data'), at('moved'), { recursive: true });
    await rm(at('data'), { recursive: true });
    await rename(at('moved'), at('data'));
    await expect(withNode(async () => {})).rejects.toThrow('or moved');
    expect((await run('restored', '--moved')).code).toBe(0);
    expect(await withNode((node) => use(node, seen()))).toEqual(all);
  });

  it.each([
    ['the database', ['data.mdb'], []],
    ['the database, where the lock file is gone', ['data.mdb'], ['lock.mdb']],
    ['the database and its lock file', ['data.mdb', 'lock.mdb'], []],
    ['the database and its lock file, where the run has no name', ['data.mdb', 'lock.mdb'], ['run-*']],
    ['the whole folder', ['*'], []],
  ])('is known when a copy was put back over %s, in the same file', async (_, written, removed) => {
    await withNode(async () => {});
    await cp(at('data'), at('copy'), { recursive: true });
    const codes = seen();
    expect(await withNode((node) => use(node, codes))).toEqual(all);
    const before = await stat(at('data', 'data.mdb'));
    const named = async (place: string, names: readonly string[]) =>
      (await readdir(at(place))).filter((name) => names.some((one) => matches(name, one)));
    for (const name of await named('copy', written))
      if ((await stat(at('copy', name))).isFile()) await copyFile(at('copy', name), at('data', name));
    for (const name of await named('data', removed)) await rm(at('data', name));
    expect(await stat(at('data', 'data.mdb'))).toMatchObject({
      ino: before.ino,
      birthtimeMs: before.birthtimeMs,
    });
    // A command that is no server opens it first, and the sign of it stays.
    expect((await run('export-ldif')).code).toBe(0);
    if (!removed.includes('run-*'))
      expect((await run('restored', '--moved')).errors).toContain('was not only moved');
    const sentence = 'is older than what the servers have written there: a copy was put back over it';
    await expect(withNode(async () => {})).rejects.toThrow(sentence);
    await expect(withNode(async () => {})).rejects.toThrow(sentence);
    expect(await withNode((node) => use(node, codes), { older: true })).toEqual(all);
    expect((await run('restored', '--yes')).code).toBe(0);
    expect(await withNode((node) => use(node, codes))).toEqual(none);
  });

  it('detects a copy by the lock file when no run has begun since', async () => {
    await withNode(async () => {});
    await copyFile(at('data', 'data.mdb'), at('copy.mdb'));
    const codes = seen();
    expect(await withNode((node) => use(node, codes), { older: true })).toEqual(all);
    await copyFile(at('copy.mdb'), at('data', 'data.mdb'));
    expect((await run('export-ldif')).code).toBe(0);
    await expect(withNode(async () => {})).rejects.toThrow('a copy was put back over it');
  });

  it('does not take a crashed folder for a restored one', async () => {
    await withNode((node) => use(node, seen()));
    await rm(at('data', 'lock.mdb'));
    await withNode(async () => {});
    await writeFile(at('data', 'lock.mdb'), Buffer.alloc(8192));
    await withNode(async () => {});
    // A start that was cut off before, and after, the run was noted in the database.
    const [name = ''] = (await readdir(at('data'))).filter((one) => one.startsWith('run-'));
    await writeFile(at('data', `run-${'0'.repeat(32)}.new`), '');
    await withNode(async () => {});
    const [next = ''] = (await readdir(at('data'))).filter((one) => one.startsWith('run-'));
    await rename(at('data', next), at('data', `${next}.new`));
    await writeFile(at('data', name), '');
    await withNode(async () => {});
    expect((await readdir(at('data'))).filter((one) => one.startsWith('run-'))).toHaveLength(1);
  });

  it('goes on without the name of its run when the operator says that it was only moved', async () => {
    await withNode(async () => {});
    for (const name of await readdir(at('data'))) if (name.startsWith('run-')) await rm(at('data', name));
    await expect(withNode(async () => {})).rejects.toThrow('or its file run-… was removed');
    expect((await run('restored', '--moved')).code).toBe(0);
    expect(await withNode((node) => use(node, seen()))).toEqual(all);
  });

  it('refuses to start without its database', async () => {
    await withNode(async () => {});
    await rm(at('data', 'data.mdb'));
    const sentence =
      /^The database data\.mdb is missing in the data folder \S+, where ca-key\.pem is left\. Put it back .* watchword-manager init --config FILE$/;
    await expect(withNode(async () => {})).rejects.toThrow(sentence);
    expect(await readdir(at('data'))).not.toContain('data.mdb');
    for (const name of await readdir(at('data')))
      if (name !== 'keys') await rm(at('data', name), { recursive: true });
    await expect(withNode(async () => {})).rejects.toThrow('where keys is left');
    expect((await run('init', '--password-file', at('password'))).code).toBe(0);
    await withNode(async () => {});
  });

  it('does not take a moved copy of `backup` for a moved folder', async () => {
    await useAfterBackup();
    await putBack();
    expect((await run('restored', '--moved')).errors).toContain('was not only moved: it is a copy');
    await expect(withNode(async () => {})).rejects.toThrow('is a copy');
  });

  it('requires the time of the copy from the operator', async () => {
    const codes = seen();
    await withNode((node) => use(node, codes.slice(0, 1)));
    const silent = await run('restored', '--yes');
    expect([silent.code, silent.errors]).toEqual([1, expect.stringContaining('Nothing says that')]);
    const moment = new Date(Date.now() - 60_000).toISOString().slice(0, 19).replace('T', ' ');
    expect((await run('restored', '--yes', '--taken', moment)).code).toBe(0);
    expect(await withNode((node) => use(node, codes))).toEqual(none);
    const again = await run('restored', '--yes', '--taken', moment);
    expect([again.code, again.printed]).toEqual([0, expect.stringContaining('nothing to do')]);
  });

  it.each([
    ['2026-02-30 00:00:00', 'is not a time'],
    ['yesterday', 'is not a time'],
    ['2999-01-01 00:00:00', 'Set the clock first'],
  ])('is not closed to %s', async (taken, sentence) => {
    expect((await run('restored', '--yes', '--taken', taken)).errors).toContain(sentence);
  });
});

it('invalidates the data of deactivated users, too', async () => {
  const dn = dnOf('list').format();
  const call = (method: 'Activate_LDAP_Object' | 'Deactivate_LDAP_Object') =>
    withNode((node) => withManager(node, (manager) => manager[method]({ dn })));
  await call('Deactivate_LDAP_Object');
  await run('backup', at('copy'));
  await call('Activate_LDAP_Object');
  const code = codesOf(list)[0] ?? '';
  expect(await withNode((node) => login(node, 'list', code))).toBe(1);
  await putBack();
  expect((await run('restored', '--yes')).printed).toContain('Printed lists: 1 removed.');
  await call('Activate_LDAP_Object');
  expect(await withNode((node) => login(node, 'list', code))).toBe(0);
});

describe('revocations', () => {
  const record = (serial: string) => ({
    ...{ serial, subject: 'CN=x', owner: dnOf('totp').format(), entry: hash('sha256', 'x').slice(0, 8) },
    ...{ issued: Date.now(), notAfter: Date.now() + 86_400_000 },
  });
  /** Two are signed, then the copy is taken, then one of them is revoked, and one that is signed later. */
  async function revokeSince(): Promise<void> {
    await withNode(async ({ engines: { certificates } }) => {
      for (const serial of ['0a01', 'ff02']) await certificates.add(record(serial));
    });
    await run('backup', at('copy'));
    await withNode(async ({ engines: { authority, certificates } }) => {
      await certificates.add(record('0c03'));
      for (const serial of ['ff02', '0c03']) await certificates.revoke(serial, Date.now());
      const der = await authority.list(await certificates.revoked(Date.now()));
      await writeFile(at('crl.der'), der);
      const pem = Buffer.from(der).toString('base64');
      await writeFile(at('crl.pem'), `-----BEGIN X509 CRL-----\n${pem}\n-----END X509 CRL-----\n`);
    });
    await putBack();
  }
  const standing = () =>
    withNode(async ({ engines: { certificates } }) => ({
      records: await Promise.all(
        ['0a01', 'ff02'].map(async (serial) => (await certificates.find(serial))?.revoked !== undefined),
      ),
      listed: (await certificates.revoked(Date.now())).map(({ serial }) => serial).sort(),
    }));

  it.each(['crl.der', 'crl.pem'])('keeps revocations since the copy that %s lists', async (name) => {
    await revokeSince();
    const { code, printed } = await run('restored', '--yes', '--crl', at(name));
    expect([code, printed]).toEqual([0, expect.stringContaining('Revocations: 2 that were not known')]);
    expect(await standing()).toEqual({ records: [false, true], listed: ['0c03', 'ff02'] });
  });

  it('warns that revocations are lost without a list', async () => {
    await revokeSince();
    const { printed } = await run('restored', '--yes');
    expect(printed).toContain('Certificates that were revoked since are valid again: revoke them');
    expect(await standing()).toEqual({ records: [false, false], listed: [] });
  });

  it('refuses a list of another authority, or a malformed one, before any change', async () => {
    await revokeSince();
    const other = at('other.yaml');
    await runCommandLine([
      'init',
      '-c',
      other,
      '--base',
      base,
      '--data',
      at('other'),
      '--password-file',
      at('password'),
    ]);
    const { config } = readConfiguration(other, {});
    const engines = await openEngines(config, createLog(config.log, { write: () => {} }));
    await writeFile(
      at('forged.der'),
      await engines.authority.list([{ serial: '0a01', revoked: Date.now() }]),
    );
    await engines.directory.close();
    await engines.close();
    const forged = await run('restored', '--yes', '--crl', at('forged.der'));
    expect(forged.errors).toContain('is not signed by the certificate authority of this installation');
    expect((await run('restored', '--yes', '--crl', file)).errors).toContain(
      'not a certificate revocation list',
    );
    expect((await run('restored', '--yes', '--crl', at('none'))).errors).toContain('no such file');
    await expect(withNode(async () => {})).rejects.toThrow('is a copy');
  });
});

it('leaves no additional files in a copy that is marked', async () => {
  await run('backup', at('copy'));
  expect((await readdir(at('copy'))).sort()).toEqual(['ca-key.pem', 'ca.pem', 'data.mdb']);
});

describe('a folder that a quick start serves', () => {
  const open = (data: string) => {
    const { config } = readConfiguration(file, { WATCHWORD_DATA: data });
    return openEngines(config, createLog(config.log, { write: () => {} }), { older: true });
  };

  it('detects a copy of itself by its mark: with a warning there, and a refusal by the servers', async () => {
    const [data, copy] = [at('quick'), at('copied')];
    const first = await open(data);
    expect(await noteFolder(first.folder, first.random)).toBeUndefined();
    await first.close();
    await cp(data, copy, { recursive: true });
    const second = await open(copy);
    expect(await noteFolder(second.folder, second.random)).toContain('was put back from a copy, or moved');
    await second.close();
    const { config } = readConfiguration(file, { WATCHWORD_DATA: copy });
    const served = openEngines(config, createLog(config.log, { write: () => {} }));
    await expect(served).rejects.toThrow('watchword-manager restored --config FILE');
    const again = await open(data);
    expect(await noteFolder(again.folder, again.random)).toBeUndefined();
    await again.close();
  });
});

describe('clock-back', () => {
  const year = 365 * 24 * 60;
  /** The code of a moment, shown at that moment. */
  const loginAt = (minutes: number, code = totp(source, Date.now() + minutes * 60_000)) =>
    withNode((node) => login(node, 'totp', code), { ahead: minutes });
  const events = () => withNode(({ engines }) => engines.events.list({ application: 'Manager', max: 9 }));

  it('lets in again who logged in while the clock was a year ahead, once by the next code, and by none of before', async () => {
    const before = totp(source, Date.now());
    expect(await loginAt(0, before)).toBe(1);
    expect(await loginAt(year)).toBe(1);
    expect(await loginAt(5)).toBe(0);
    const dry = await run('clock-back', '--dry-run');
    expect(dry).toMatchObject({ code: 0, printed: expect.stringContaining('nothing was written') });
    expect(dry.printed).toMatch(/TOTP tokens: 1\. .*\n.*Last logins: 1, .*\n.*: 0, closed/);
    expect(await run('clock-back')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('There is no terminal to ask at'),
    });
    expect(await loginAt(5)).toBe(0);
    expect((await events()).some(({ text }) => text.includes('clock-back'))).toBe(false);
    expect(await run('clock-back', '--yes')).toMatchObject({ code: 0, errors: '' });
    expect((await run('clock-back', '--dry-run')).printed).toMatch(/TOTP tokens: 0\. /);
    for (const minute of [0, 0.5, 1, 1.5, 2]) expect(await loginAt(minute, before)).toBe(0);
    const next = totp(source, Date.now() + 5 * 60_000);
    expect([await loginAt(5, next), await loginAt(5, next)]).toEqual([1, 0]);
    expect((await events()).map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/clock-back: 1 TOTP tokens, 1 last logins, 0 openings: done$/),
    );
  });

  it('sets back the step on the entry of a token whose drift was learned at that time', async () => {
    const off = year + 1;
    expect(await loginAt(year, totp(source, Date.now() + off * 60_000))).toBe(1);
    expect(await loginAt(5)).toBe(0);
    expect((await run('clock-back', '--yes')).printed).toContain('TOTP tokens: 1.');
    expect(await loginAt(5)).toBe(1);
  });

  const set = (settings: Readonly<Record<string, string>>) =>
    withNode((node) =>
      withManager(node, (manager) => manager.Set_User_Settings({ dn: dnOf('totp').format(), settings })),
    );

  it('takes no code of before again within the window of a user, which is wider than that of the installation', async () => {
    await set({ 'Otp.TOTPTimeOffsetWindow': '600' });
    const before = totp(source, Date.now() + 8 * 60_000);
    expect(await loginAt(0, before)).toBe(1);
    expect(await loginAt(year)).toBe(1);
    await run('clock-back', '--yes');
    expect(await loginAt(0, before)).toBe(0);
    expect(await loginAt(25)).toBe(1);
  });

  it('sets back the claims of each time step that a token had', async () => {
    const slowly = (minutes: number) =>
      loginAt(minutes, totp({ ...source, period: 60 }, Date.now() + minutes * 60_000));
    await set({ 'Otp.TOTPTimeStep': '60' });
    expect(await slowly(year)).toBe(1);
    await set({ 'Otp.TOTPTimeStep': '30' });
    expect(await loginAt(year)).toBe(1);
    expect((await run('clock-back', '--yes')).printed).toContain('TOTP tokens: 1.');
    expect((await run('clock-back', '--dry-run')).printed).toContain('TOTP tokens: 0.');
    expect(await loginAt(5)).toBe(1);
    await set({ 'Otp.TOTPTimeStep': '60' });
    expect(await slowly(7)).toBe(1);
  });

  it('lets in again after `restored` while the clock was a year ahead', async () => {
    const moment = Date.now() + year * 60_000;
    await withNode(({ engines }) => raiseTimeFloor({ moment, window: 60 }, engines.store));
    const floor = 'The time floor of TOTP';
    expect((await run('clock-back', '--dry-run')).printed).toContain(floor);
    expect(await loginAt(5)).toBe(0);
    expect((await run('clock-back', '--yes')).printed).toContain(floor);
    expect((await run('clock-back', '--dry-run')).printed).not.toContain(floor);
    expect([await loginAt(0), await loginAt(5)]).toEqual([0, 1]);
  });

  it('leaves alone who is not ahead, and closes what was opened for a while', async () => {
    expect(await loginAt(0)).toBe(1);
    await withNode(({ engines }) => engines.store.put('certificates:all', Buffer.from('[]'), 3600));
    const { printed } = await run('clock-back', '--yes');
    expect(printed).toMatch(/TOTP tokens: 0\. .*\n.*Last logins: 0, .*\n.*: 1, closed/);
    expect(await withNode(({ engines }) => engines.store.get('certificates:all'))).toBeUndefined();
    expect(await loginAt(0.5)).toBe(1);
  });
});
