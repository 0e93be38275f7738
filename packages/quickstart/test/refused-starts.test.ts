/** `npm start` where it cannot start: one sentence says why. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastLine, readFacts, tokenOf } from './facts.ts';
import { start } from './program.ts';

let folder: string;
/** Of a start that went well, copied by what damages it. */
let data: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-quickstart-'));
  data = join(folder, 'data');
  const program = start({ data });
  await program.prints(lastLine);
  await program.interrupt();
});
afterAll(() => rm(folder, { recursive: true }));

describe('a start that cannot be', () => {
  const refusal = async (folderOfIt: string, environment: Record<string, string> = {}) => {
    const program = start({ data: folderOfIt, environment });
    expect(await program.ends()).toBe(1);
    expect(program.output()).toBe('');
    const said = program
      .errors()
      .trim()
      .split('\n')
      // A copy of a folder is served with a warning.
      .filter((line) => !line.endsWith('…') && !/^Warning: .*watchword-manager restored/.test(line));
    expect(said).toHaveLength(1);
    return said[0];
  };

  it('names a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await refusal(data, { WATCHWORD_MANAGER__PORT: String(port) })).toContain(
      `Port ${port} on 127.0.0.1 is taken`,
    );
    other.close();
  });

  it('names an authority that cannot sign, and warns of one that ends soon', async () => {
    const [certificate, key] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Example', '-days', '9'];
    await promisify(execFile)('openssl', [...request, '-out', certificate, '-keyout', key]);
    const brought = { WATCHWORD_CA__CERTIFICATE: certificate, WATCHWORD_CA__KEY: key };
    const program = start({ data: join(folder, 'ending'), environment: brought });
    await program.prints(lastLine);
    expect(program.errors()).toMatch(/^Warning: ca\.certificate is good until .+; name another in time$/m);
    await program.interrupt();
    expect(await refusal(data, { ...brought, WATCHWORD_CA__KEY: certificate })).toContain(
      'The key of the certificate authority cannot be read; give one in PEM',
    );
  });

  it('names a data folder that cannot be used', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await refusal(file)).toContain(
      '(a part of its path is not a folder); choose another with WATCHWORD_DATA',
    );
    expect(await refusal('/proc/nowhere')).toContain('WATCHWORD_DATA');
  });

  it.each([
    ['data.mdb', 'damaged'],
    ['keys', 'is damaged'],
    ['tls-key.pem', 'is damaged'],
    ['quickstart.json', 'is damaged'],
    ['watchword.yaml', 'watchword.yaml, line 1'],
  ])('names a damaged %s', async (name, sentence) => {
    const copy = join(folder, `damaged-${name}`);
    await cp(data, copy, { recursive: true });
    await writeFile(join(copy, name), 'x: [');
    expect(await refusal(copy)).toContain(sentence);
  });

  it('names a database that was cut short, and keys that are gone', async () => {
    const short = join(folder, 'short');
    await cp(data, short, { recursive: true });
    await truncate(join(short, 'data.mdb'), 40_000);
    expect(await refusal(short)).toContain('damaged');
    const keyless = join(folder, 'keyless');
    await cp(data, keyless, { recursive: true });
    await rm(join(keyless, 'keys'));
    expect(await refusal(keyless)).toContain('keys');
  });

  it('names a database that is gone, whose passwords would be shown', async () => {
    const lost = join(folder, 'lost');
    await cp(data, lost, { recursive: true });
    await rm(join(lost, 'data.mdb'));
    expect(await refusal(lost)).toContain('is empty');
    expect(await refusal(lost)).toContain('is empty');
    await rm(join(lost, 'quickstart.json'));
    const program = start({ data: lost });
    await program.prints(lastLine);
    expect(await program.interrupt()).toBe(0);
  });

  it('names a token in quickstart.json that is none', async () => {
    const copy = join(folder, 'tokenless');
    await cp(data, copy, { recursive: true });
    const facts = await readFacts(data);
    for (const token of [
      {},
      tokenOf('1'),
      { ...tokenOf('MY'), period: 0 },
      { ...tokenOf('MY'), type: 'HOTP' },
    ]) {
      const users = facts.users.map((user) => ({ ...user, token }));
      await writeFile(join(copy, 'quickstart.json'), JSON.stringify({ ...facts, users }));
      expect(await refusal(copy)).toContain('is damaged');
    }
  });

  it('names an option that there is not', async () => {
    const program = start({ data, args: ['--jsn'] });
    expect([await program.ends(), program.output()]).toEqual([1, '']);
    expect(program.errors()).toBe(
      'watchword: npm start knows no --jsn; its one option is --json, as in npm start -- --json.\n',
    );
  });
});
