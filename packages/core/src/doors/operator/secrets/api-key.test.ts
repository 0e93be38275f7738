/** The program that makes an API key: what it prints is a configuration that lets the key in. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfiguration, runServer } from '../../../../../cli/src/index.ts';
import { systemClock } from '../../../../../node/src/machine/index.ts';
import { Callers } from '../../../administration/policy/callers.ts';
import { Names } from '../../../table/dialect.ts';
import { fixedHandler } from '../../../testing/bed/fixed-handler.ts';
import { scratchFolder } from '../../../testing/bed/scratch.ts';

const settings = `
data: data
directory: {type: embedded, base: "dc=example,dc=com"}
domains: {Default: {base: "dc=example,dc=com"}}
`;

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('api-key');
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

async function run(server: 'ws' | 'manager', ...args: readonly string[]) {
  const [printed, errors]: [string[], string[]] = [[], []];
  const prepare = () => () => fixedHandler();
  const code = await runServer(
    { name: `watchword-${server}`, server, prepare },
    {
      arguments: args,
      environment: {},
      print: (text) => printed.push(text),
      printError: (text) => errors.push(text),
      logTo: { write: () => true },
      asked: Promise.resolve('SIGTERM'),
    },
  );
  return { code, printed: printed.join('\n'), errors: errors.join('\n') };
}

const keyIn = (text: string): string => /^[0-9]+_[0-9a-f]{40}$/m.exec(text)?.[0] ?? '';
const linesIn = (text: string): string => text.slice(text.indexOf('api_keys:'));

describe('--make-api-key', () => {
  it('prints a key, and the lines that let it in', async () => {
    const { code, printed } = await run('ws', '--make-api-key');
    expect(code).toBe(0);
    expect(keyIn(printed)).toMatch(/^1_/);
    const { config } = readConfiguration(await write('one.yaml', settings + linesIn(printed)), {});
    const nothing = {
      ...{ certificates: { judge: async () => undefined }, clients: { boundAt: () => undefined } },
      keyUses: { note: () => {} },
    };
    const ports = { config, names: new Names(config.names), clock: systemClock };
    const callers = new Callers(ports, nothing);
    const shown = { address: '192.0.2.1', apiKey: keyIn(printed) };
    expect(await callers.identify('otp', shown)).toEqual({
      address: '192.0.2.1',
      apiKey: '1',
      trusted: true,
    });
    expect(linesIn(printed)).not.toContain(keyIn(printed).slice(2));
  });

  it('makes another one each time, with the next number of the configuration', async () => {
    const digest = 'ab'.repeat(32);
    const file = await write(
      'two.yaml',
      `${settings}\napi_keys: {"9": {sha256: ${digest}}, 12: {sha256: ${digest}}}`,
    );
    const keys = await Promise.all(
      [1, 2].map(async () => keyIn((await run('ws', '-c', file, '--make-api-key')).printed)),
    );
    expect(keys.map((key) => key.slice(0, 3))).toEqual(['13_', '13_']);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('is an option of the web services only', async () => {
    expect((await run('ws', '--help')).printed).toContain('--make-api-key');
    expect((await run('manager', '--help')).printed).not.toContain('--make-api-key');
    expect(await run('manager', '--make-api-key')).toMatchObject({
      code: 1,
      errors: expect.stringContaining("Unknown option '--make-api-key'"),
    });
  });
});
