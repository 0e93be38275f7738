/** The embedded directory as LDIF and back, as an operator does it. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundled } from '../../../core/src/applications/index.ts';
import { tokenChanges } from '../../../core/src/authenticators/token-data.ts';
import { serviceSettings } from '../../../core/src/config/config.ts';
import { swapData } from '../../../core/src/directory/data/data.ts';
import { findEntryRef } from '../../../core/src/directory/data/user-data.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { createCore } from '../../../core/src/service.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { startAndStop, tryServer } from '../../../core/src/testing/bed/engines/server-check.ts';
import { createLog } from '../../../node/src/machine/index.ts';
import { readConfiguration } from '../index.ts';

const base = 'dc=example,dc=com';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-ldif-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A configuration with a data folder of its own. */
async function configuration(name: string): Promise<string> {
  const text = `data: ${name}\ndirectory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}\nsuper_admins: ["uid=admin,${base}"]\n`;
  await writeFile(join(folder, `${name}.yaml`), text);
  return join(folder, `${name}.yaml`);
}

const entry = (uid: string) => `dn: uid=${uid},${base}\nobjectClass: inetOrgPerson\ncn: ${uid}\nsn: x\n\n`;
const importing = (file: string, input: string) => runCommandLine(['import-ldif', '-c', file], { input });

describe('LDIF', () => {
  it('goes out and into another folder, where the key ring is made first', async () => {
    const [from, to] = [await configuration('from'), await configuration('to')];
    await writeFile(join(folder, 'password'), 'correct horse battery staple', { mode: 0o600 });
    await runCommandLine(['init', '-c', from, '--password-file', join(folder, 'password')]);
    expect(await importing(from, entry('alice'))).toMatchObject({ code: 0, errors: '1 entries' });
    const { code, output } = await runCommandLine(['export-ldif', '-c', from]);
    expect([code, output]).toEqual([0, expect.stringContaining(`dn: uid=alice,${base}\n`)]);
    expect(output).toContain('pwdChangedTime: ');
    expect(await importing(to, output)).toMatchObject({ code: 0 });
    expect((await runCommandLine(['export-ldif', '-c', to])).output).toBe(output);
    expect(await readdir(join(folder, 'to'))).toContain('keys');
  });

  it('says that the key ring does not open the secrets that came with it, and so do --check and a start', async () => {
    const [from, to] = [await configuration('there'), await configuration('here')];
    await importing(
      from,
      entry('alice').replace('inetOrgPerson', 'inetOrgPerson\nobjectClass: webadmAccount'),
    );
    const { config } = readConfiguration(from, {});
    const engines = await openEngines(config, createLog(config.log, { write: () => {} }));
    const dn = Dn.parse(`uid=alice,${base}`);
    const view = createCore(serviceSettings(config), engines, bundled);
    const secret = Buffer.from('12345678901234567890');
    const token = tokenChanges(1, { type: 'HOTP', secret, state: { counter: 0 } });
    await swapData(await findEntryRef(dn, view), () => token, view);
    await engines.directory.close();
    await engines.close();
    const { output } = await runCommandLine(['export-ldif', '-c', from]);
    const keys = join(folder, 'here', 'keys');
    const sentence = `1 of 1 stored secrets that were looked at are encrypted with a key that is not in ${keys} (`;
    const result = await importing(to, output);
    expect([result.code, result.errors]).toEqual([
      1,
      expect.stringContaining(`The entries were added. ${sentence}`),
    ]);
    const checked = await tryServer(to);
    expect([checked.code, checked.errors]).toEqual([1, [expect.stringContaining(`Error: ${sentence}`)]]);
    await writeFile(to, `${await readFile(to, 'utf8')}log: {level: error}\nmanager: {port: 0}\n`);
    expect(await startAndStop(to, { warnings: 2 })).toContainEqual(expect.stringContaining(sentence));

    const [own, theirs] = await Promise.all([
      readFile(keys, 'utf8'),
      readFile(join(folder, 'there', 'keys'), 'utf8'),
    ]);
    await writeFile(keys, `${own}${theirs}`);
    expect((await tryServer(to)).errors).toEqual([]);
  });

  it('goes out without what overlays keep', async () => {
    const file = await configuration('plain');
    await importing(file, entry('alice').replace('\n\n', '\nuserPassword: secret\n\n'));
    const { output } = await runCommandLine(['export-ldif', '-c', file, '--no-overlays']);
    expect(output).toContain('userPassword: ');
    expect(output).not.toContain('pwdChangedTime');
  });

  it('says how many of its passwords never match, also when it stops later', async () => {
    const file = await configuration('yescrypt');
    const stored = (uid: string, value: string) =>
      entry(uid).replace('\n\n', `\nuserPassword: {CRYPT}${value}\n\n`);
    const yescrypt = '$y$j9T$4/DMUN4QY9xzB3QJO74He/$PxcWdVpmy4QfYC7IXnjnHBVtwCFhebYHAOyb0z4iGw/';
    const bcrypt = '$2b$06$NggLhBFLiEvY7CfnjwA8Re.I08M6UiIDHbl3brRGzJV5CzLyvIRo2';
    const text = [stored('a', yescrypt), stored('b', bcrypt), stored('c', 'sefjKaLm7zybE'), stored('d', '*')];
    const result = await importing(file, text.join(''));
    expect(result.code).toBe(0);
    expect(result.errors).toBe(
      '4 entries\nWarning: 2 stored passwords came in a scheme that is not verified here, or asking for too much work. ' +
        'They are kept and never match: an administrator sets new ones.',
    );
    expect((await runCommandLine(['export-ldif', '-c', file])).output).toContain(
      'userPassword: {CRYPT}$y$j9T$4/DMUN4QY9xzB3QJO74He/',
    );
    const people = Array.from({ length: 499 }, (_, number) => entry(`user${number}`)).join('');
    const stopped = await importing(
      await configuration('stopped'),
      `${people}${stored('a', yescrypt)}dn: uid=odd,${base}\nobjectClass: dragon\n`,
    );
    expect(stopped.errors).toMatch(
      /^500 entries\nWarning: 1 stored password came .*\n.*The first 500 entries were added/,
    );
  });

  it('is refused with the line, and how much of it is in', async () => {
    const file = await configuration('bad');
    const people = Array.from({ length: 501 }, (_, number) => entry(`user${number}`)).join('');
    const result = await importing(file, `${people}dn: uid=odd,${base}\nobjectClass: dragon\n`);
    expect(result.code).toBe(1);
    expect(result.errors).toMatch(
      /^500 entries\n.*LDIF line 2506: .* The first 500 entries were added; import the rest\./,
    );
    const early = await importing(await configuration('early'), 'dn: nonsense\n');
    expect(early.errors).toBe('watchword-manager: LDIF line 1: the DN cannot be read. Nothing was added.');
  });

  it('has entries in it', async () => {
    const result = await importing(await configuration('none'), '\n');
    expect(result).toMatchObject({
      code: 1,
      errors: 'watchword-manager: There is no entry on standard input.',
    });
  });

  it('does not go out of a folder without a database, and none is made', async () => {
    const result = await runCommandLine(['export-ldif', '-c', await configuration('empty')]);
    expect(result).toMatchObject({ code: 1, errors: expect.stringContaining('There is no database in ') });
    expect(await readdir(folder)).toEqual(['empty.yaml']);
  });
});

describe('commands', () => {
  it.each(['init', 'reset-admin', 'backup', 'restored', 'export-ldif', 'import-ldif'])(
    '%s has --help',
    async (name) => {
      const result = await runCommandLine([name, '--help']);
      expect(result).toMatchObject({ code: 0, errors: '' });
      expect(result.printed).toContain(`Usage: watchword-manager ${name} --config FILE`);
      expect((await runCommandLine(['--help'])).printed).toContain(`\n  ${name} `);
    },
  );

  it.each([
    [['inti'], 'there is no command "inti". Try --help.'],
    [['audit', '--help'], 'there is no command "audit", but "audit export", "audit key", "audit verify".'],
    [['export-ldif', '--overlays'], `export-ldif: Unknown option '--overlays'`],
    [['export-ldif', 'FILE'], 'export-ldif takes no "FILE"'],
    [['backup'], 'No configuration file is named (--config FILE)'],
  ])('%j is told what is wrong', async (args, sentence) => {
    expect(await runCommandLine(args)).toMatchObject({ code: 1, errors: expect.stringContaining(sentence) });
  });
});
