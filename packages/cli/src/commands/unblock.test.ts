/** Emergency unblocking: a refused caller is let in again, under a running server, and while the directory is down. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../../../core/src/applications/index.ts';
import { serviceSettings } from '../../../core/src/config/config.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { createService } from '../../../core/src/index.ts';
import { userKey } from '../../../core/src/limits/source.ts';
import type { Engines } from '../../../core/src/ports/ports.ts';
import { createCore, type Service } from '../../../core/src/service.ts';
import { attemptAt } from '../../../core/src/testing/bed/attempts.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { createLog } from '../../../node/src/machine/index.ts';
import { readConfiguration } from '../index.ts';

const base = 'dc=example,dc=com';
const admin = `uid=admin,ou=people,${base}`;
const password = 'the password of the first day';
const limits = { login_failure_delay_ms: 0 };

let folder: string;
let file: string;
let engines: Engines;
let service: Service;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-unblock-'));
  file = join(folder, 'watchword.yaml');
  const secret = join(folder, 'password');
  await writeFile(secret, `${password}\n`, { mode: 0o600 });
  await runCommandLine(['init', '-c', file, '--password-file', secret, '--base', base]);
  const { config } = readConfiguration(file, {});
  engines = await openEngines(config, createLog(config.log, { write: () => {} }));
  service = createService(serviceSettings({ ...config, limits: { ...config.limits, ...limits } }), engines);
});
afterEach(async () => {
  await service.close();
  await engines.close();
  await rm(folder, { recursive: true });
});

const unblock = (...more: readonly string[]) => runCommandLine(['unblock', '-c', file, ...more]);

/** From an address that the administrator was never at; `in`, or the reason of the refusal. */
async function login(secret = password, username = 'admin'): Promise<string> {
  try {
    await (await service.manager.login({ username, password: secret }, '192.0.2.1')).close();
    return 'in';
  } catch (error) {
    return error instanceof Error && 'reason' in error ? String(error.reason) : 'error';
  }
}

const core = () => createCore(serviceSettings(readConfiguration(file, {}).config), engines, bundled);

describe('unblock', () => {
  it('ends a refusal by too many failures, which the running server takes at once, and is in the audit', async () => {
    for (let failures = 0; failures < 10; failures += 1) await login('wrong');
    expect(await login()).toBe('too_many_attempts');
    const result = await unblock(admin.toUpperCase().replace('UID=', 'uid = '));
    expect(result).toMatchObject({
      code: 0,
      errors: '',
      printed: expect.stringContaining('is blocked no more'),
    });
    expect(await login()).toBe('in');
    const events = await engines.events.list({ application: 'Manager', dn: admin, max: 9 });
    expect(events.map(({ text }) => text)).toContain('root at watchword-manager: unblock: done');
  });

  it('ends a block by an administrator, and a hundred wrong passwords, at both doors', async () => {
    const { limits: counted } = core();
    const user = userKey(Dn.parse(admin));
    await counted.block(user, undefined);
    expect(await login()).toBe('too_many_attempts');
    await unblock(admin);
    expect(await login()).toBe('in');
    for (const family of ['web', 'manager'] as const) {
      const judge = async () => ({ answer: 0, end: 'failed' as const, wrongPasswords: 100 });
      const place = { id: 'x', words: 'x', buckets: [] };
      const alone = { password: true, codes: [] };
      const rules = { maxTries: 5, blockTime: 300 };
      await attemptAt(
        counted,
        { family, user, source: place, withoutPassword: alone, rules, combined: 'none' },
        judge,
      );
      expect((await counted.look(user, family)).wrongPasswords).toBe(100);
    }
    await unblock(admin);
    for (const family of ['web', 'manager'] as const)
      expect(await counted.look(user, family)).toMatchObject({ scopes: {}, wrongPasswords: 0 });
  });

  it('works without the directory, and says what it could not reach', async () => {
    const away = join(folder, 'away.yaml');
    const directory = `{type: ldap, urls: ["ldap://127.0.0.1:9"], allow_plain: true, base: "${base}", bind_dn: "cn=x,${base}", bind_password_file: password, timeout_s: 1}`;
    const text = await readFile(file, 'utf8');
    await writeFile(away, text.replace(/^directory:(?:.*\n)(?:[ \t].*\n)*/m, `directory: ${directory}\n`));
    for (let failures = 0; failures < 10; failures += 1) await login('wrong');
    expect(await login()).toBe('too_many_attempts');
    const result = await runCommandLine(['unblock', '-c', away, admin]);
    expect(result).toMatchObject({ code: 0, printed: expect.stringContaining('is blocked no more') });
    expect(result.errors).toContain('the directory did not answer');
    expect(await login()).toBe('in');
  });

  it('unblocks nobody where the directory has no such entry', async () => {
    const result = await unblock(`uid=adnim,ou=people,${base}`);
    const sentence = `the directory has no uid=adnim,ou=people,${base}, so nobody was unblocked`;
    expect(result).toMatchObject({ code: 1, printed: '', errors: expect.stringContaining(sentence) });
    expect(await engines.events.list({ application: 'Manager', max: 9 })).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('unblock') }),
    );
  });

  it.each([
    [[], 'unblock needs the DN of a user.'],
    [['admin'], '"admin" is no DN; write for example uid=admin,'],
    [[admin, admin], 'unblock takes no "uid=admin,'],
  ])('refuses %j', async (given, sentence) => {
    const result = await unblock(...given);
    expect([result.code, result.errors]).toEqual([1, expect.stringContaining(sentence)]);
  });

  it('makes no database where there is none', async () => {
    const empty = join(folder, 'empty.yaml');
    await writeFile(empty, (await readFile(file, 'utf8')).replace(/^data:.*$/m, 'data: none'));
    const result = await runCommandLine(['unblock', '-c', empty, admin]);
    expect([result.code, result.errors]).toEqual([1, expect.stringContaining('There is no database in ')]);
  });
});
