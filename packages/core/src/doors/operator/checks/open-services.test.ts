/** Warnings of `--check` and of the start of the web services about a service that any host in the network may call. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runServer } from '../../../../../cli/src/index.ts';
import { bundled } from '../../../applications/index.ts';
import { readConfig } from '../../../index.ts';
import { tryServer } from '../../../testing/bed/engines/server-check.ts';
import { fixedHandler } from '../../../testing/bed/fixed-handler.ts';
import { scratchFolder } from '../../../testing/bed/scratch.ts';
import { openServiceWarnings, trustWarnings } from './open-services.ts';

const base = 'dc=example,dc=org';
const directory = { type: 'embedded', base };
const domains = { Default: { base } };
const warnings = (config: object) =>
  openServiceWarnings(readConfig({ directory, domains, ...config }), bundled);

const said = (host: string, word = 'otp') =>
  `websrvs.${word}.require is none, and ws listens on ${host}:8443: any client that can reach it may try passwords there; ` +
  'set it to api_key (watchword-ws --make-api-key makes a key), certificate or either, or ws.host to 127.0.0.1.';

describe('openServiceWarnings', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', '2001:db8::1', 'login.example.com'])('warns of %s', (host) => {
    expect(warnings({ ws: { host } })).toEqual([said(host)]);
    expect(warnings({ ws: { host }, websrvs: { otp: { default_domain: 'Default' } } })).toEqual([said(host)]);
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', 'localhost'])('not of %s', (host) => {
    expect(warnings({ ws: { host } })).toEqual([]);
  });

  it.each(['api_key', 'certificate', 'either'])('not where %s is demanded', (require) => {
    expect(warnings({ ws: { host: '0.0.0.0' }, websrvs: { otp: { require } } })).toEqual([]);
  });

  it('not of a service that does not answer, and in the words of the installation', () => {
    expect(warnings({ ws: { host: '0.0.0.0' }, websrvs: { otp: { enabled: false } } })).toEqual([]);
    const names = { otp: 'exampleotp' };
    expect(warnings({ names, ws: { host: '0.0.0.0' } })).toEqual([said('0.0.0.0', 'exampleotp')]);
    const websrvs = { exampleotp: { require: 'api_key' } };
    expect(warnings({ names, websrvs, ws: { host: '0.0.0.0' } })).toEqual([]);
  });
});

describe('trustWarnings', () => {
  const warningsOf = (config: object) => trustWarnings(readConfig({ directory, domains, ...config }));

  it.each(['0.0.0.0/0', '::/0'])('warns of %s', (everybody) => {
    expect(warningsOf({ trusted_callers: ['192.0.2.1', everybody], request_settings: [everybody] })).toEqual([
      'trusted_callers includes every address: any client that can reach ws may claim any source address; name the addresses of your calling systems.',
      'request_settings includes every address: any client that can reach ws may ask for a login with one factor; name the addresses of your calling systems.',
    ]);
  });

  it('not of networks that somebody chose', () => {
    expect(warningsOf({ trusted_callers: ['10.0.0.0/8'], request_settings: ['2001:db8::/64'] })).toEqual([]);
    expect(warningsOf({ dialect: 'deployed' })).toEqual([]);
  });
});

describe('a server', () => {
  let folder: string;
  let file: string;
  beforeAll(async () => {
    folder = await scratchFolder('open-services');
    file = join(folder, 'watchword.yaml');
    const listen = 'ws: {host: 0.0.0.0, port: 0}\nmanager: {host: 0.0.0.0, port: 0}';
    const text = `directory: {type: embedded, base: "${base}"}\ndomains: {Default: {base: "${base}"}}\n${listen}\n`;
    await writeFile(file, `${text}data: data\nrequest_settings: [0.0.0.0/0]\nlog: {level: error}\n`, {
      mode: 0o600,
    });
  });
  afterAll(() => rm(folder, { recursive: true }));
  const open = 'websrvs.otp.require is none, and ws listens on 0.0.0.0:0: ';

  it('of the web services says so when it is checked, the Manager does not', async () => {
    const { errors } = await tryServer(file, 'ws');
    expect(errors.filter((line) => line.includes('websrvs.'))).toEqual([
      expect.stringMatching(`^Warning: ${open}`),
    ]);
    expect(errors.join('\n')).toContain('Warning: request_settings includes every address: ');
    expect((await tryServer(file)).errors.join('\n')).not.toContain('websrvs.');
  });

  it('of the web services says so when it starts', async () => {
    const errors: string[] = [];
    let stop = () => {};
    const asked = new Promise<string>((resolve) => {
      stop = () => resolve('SIGTERM');
    });
    const command = {
      name: 'watchword-ws',
      server: 'ws',
      prepare: () => () => fixedHandler(),
    } as const;
    const around = { arguments: ['--config', file], environment: {}, logTo: { write: () => {} }, asked };
    await runServer(command, { ...around, print: () => stop(), printError: (text) => errors.push(text) });
    expect(errors.join('\n')).toContain(`Warning: ${open}`);
  });
});
