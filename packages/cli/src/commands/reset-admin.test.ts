/** A lost password, an entry that is locked, a user who is shut out: all of them come back, also under a server. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceSettings } from '../../../core/src/config/config.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { createService } from '../../../core/src/index.ts';
import type { Engines } from '../../../core/src/ports/ports.ts';
import type { Service } from '../../../core/src/service.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { createLog } from '../../../node/src/machine/index.ts';
import { readConfiguration } from '../index.ts';

const base = 'dc=example,dc=com';
const admin = `uid=admin,ou=people,${base}`;
const [first, second] = ['the password of the first day', 'the password of the second day'];

let folder: string;
let file: string;
let engines: Engines;
let service: Service;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-reset-'));
  file = join(folder, 'watchword.yaml');
  await ask('init', first, '--base', base);
  const { config } = readConfiguration(file, {});
  engines = await openEngines(config, createLog(config.log, { write: () => {} }));
  const limits = { ...config.limits, login_failure_delay_ms: 0 };
  service = createService(serviceSettings({ ...config, limits }), engines);
});
afterEach(async () => {
  await service.close();
  await engines.close();
  await rm(folder, { recursive: true });
});

async function ask(command: string, password: string, ...more: readonly string[]) {
  await writeFile(join(folder, 'password'), `${password}\n`, { mode: 0o600 });
  return runCommandLine([command, '-c', file, '--password-file', join(folder, 'password'), ...more]);
}

/** Logs in at the server, which runs all the time. @returns `in`, or the reason of the refusal */
async function login(password: string, username = 'admin'): Promise<string> {
  try {
    await (await service.manager.login({ username, password })).close();
    return 'in';
  } catch (error) {
    return error instanceof Error && 'reason' in error ? String(error.reason) : 'error';
  }
}

describe('reset-admin with settings at run time', () => {
  const apply = async (settings: object) => {
    const path = join(folder, 'settings.yaml');
    await writeFile(path, JSON.stringify(settings));
    return runCommandLine(['apply', '-c', file, path]);
  };

  it('finds the administrators of settings at run time', async () => {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/^super_admins:.*\n(?: +- .*\n)*/m, ''));
    expect((await ask('reset-admin', second)).errors).toContain('There is no administrator yet');
    expect(await apply({ super_admins: [admin] })).toMatchObject({ code: 0 });
    const result = await ask('reset-admin', second);
    expect(result.code).toBe(0);
    expect(result.errors).not.toContain('settings at run time');
    expect(await login(second)).toBe('in');
  });

  it('goes on with the file, and warns, while settings at run time do not fit with it', async () => {
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('domains:', `domains:\n  Other: {base: "ou=other,${base}"}`));
    expect(await apply({ default_domain: 'Other' })).toMatchObject({ code: 0 });
    await writeFile(file, text);
    const result = await ask('reset-admin', second);
    expect(result.code).toBe(0);
    expect(result.errors).toContain('warning: the file counts without the settings at run time');
    expect(await login(second)).toBe('in');
  });
});

describe('reset-admin', () => {
  it('sets another password, which the running server takes at once, and is in the audit', async () => {
    expect(await login(first)).toBe('in');
    const result = await ask('reset-admin', second);
    expect(result).toMatchObject({ code: 0, errors: '', printed: expect.stringContaining(admin) });
    expect([await login(first), await login(second)]).toEqual(['credentials_refused', 'in']);
    const events = await engines.events.list({ application: 'Manager', dn: admin, max: 10 });
    expect(events.map(({ text }) => text)).toContain(
      'root at watchword-manager: reset-admin: a new password, and no lock: done',
    );
  });

  it('lifts the block of too many failures', async () => {
    for (let failures = 0; failures < 20; failures += 1) await login('wrong');
    expect(await login(first)).toBe('too_many_attempts');
    await ask('reset-admin', second);
    expect(await login(second)).toBe('in');
  });

  it.each(['000001010000Z', '20260101000000Z'])('unlocks an entry that is locked since %s', async (since) => {
    const changes = [
      { operation: 'replace', attribute: 'pwdAccountLockedTime', values: [since] },
      { operation: 'replace', attribute: 'pwdReset', values: ['TRUE'] },
    ] as const;
    await engines.directory.service.modify(Dn.parse(admin), changes);
    expect(await login(first)).toBe('credentials_refused');
    await ask('reset-admin', second);
    expect(await login(second)).toBe('in');
  });

  it('asks which one, of several', async () => {
    const other = `uid=other,${base}`;
    const person = {
      objectclass: ['inetOrgPerson'],
      cn: ['o'],
      sn: ['o'],
      uid: ['other'],
      userpassword: [first],
    };
    const { service: directory } = engines.directory;
    await directory.add(Dn.parse(other), new Map(Object.entries(person)));
    const group = Dn.parse(`cn=administrators,ou=groups,${base}`);
    await directory.modify(group, [{ operation: 'add', attribute: 'member', values: [other] }]);
    expect((await ask('reset-admin', second)).errors).toContain(
      `There are ${admin} and ${other}; choose one`,
    );
    expect((await ask('reset-admin', second, '--dn', `uid=nobody,${base}`)).errors).toContain(
      'is not an administrator here',
    );
    expect((await ask('reset-admin', second, '--dn', other.toUpperCase())).code).toBe(0);
    expect([await login(first), await login(second, 'other')]).toEqual(['in', 'in']);
    const typed = [other, 'a third one, typed twice', 'a third one, typed twice'];
    expect((await runCommandLine(['reset-admin', '-c', file], { typed })).code).toBe(0);
    expect(await login('a third one, typed twice', 'other')).toBe('in');
  });

  it.each([
    ['short', 'password has fewer than 15 characters.'],
    ['', 'password is empty.'],
  ])('refuses the password %j and changes nothing', async (weak, sentence) => {
    expect((await ask('reset-admin', weak)).errors).toContain(sentence);
    expect(await login(first)).toBe('in');
  });

  it('names init where there is no administrator yet', async () => {
    await engines.directory.service.remove(Dn.parse(`cn=administrators,ou=groups,${base}`));
    expect((await ask('reset-admin', second)).errors).toContain(
      `There is no administrator yet; make one: watchword-manager init --config ${file}`,
    );
  });

  it('names init where there is no database, and makes none', async () => {
    const empty = join(folder, 'empty.yaml');
    await writeFile(
      empty,
      `data: none\ndirectory: {type: embedded, base: "${base}"}\ndomains: {Default: {base: "${base}"}}\nsuper_admins: ["${admin}"]\n`,
    );
    const result = await runCommandLine(['reset-admin', '-c', empty]);
    expect([result.code, result.errors]).toEqual([1, expect.stringContaining('There is no database in ')]);
  });
});
