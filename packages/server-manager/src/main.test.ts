/** The Manager server as a program: its options, what it says when it cannot start, and how it ends. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationCommands, readConfiguration, runServer } from '@watchword/cli';
import { Dn, version } from '@watchword/core';
import { basic, watchTls } from '@watchword/core/testing/bed';
import { openEngines } from '@watchword/engines';
import { createLog } from '@watchword/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managerCommand as manager } from './options.ts';

const managerCommand = { ...manager, commands: installationCommands };

const base = 'dc=example,dc=org';
const admin = { username: 'admin', password: 'Adm1n-of-all' };
const helper = { username: 'helper', password: 'H3lper-of-some' };

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-manager-'));
  file = await write('watchword.yaml', '');
  await addPeople();
});
afterAll(() => rm(folder, { recursive: true }));

/** A configuration with these lines besides the necessary ones. */
async function write(name: string, lines: string): Promise<string> {
  const text = `data: data
directory: {type: embedded, base: "${base}"}
domains: {Default: {base: "${base}"}}
super_admins: ["uid=admin,${base}"]
log: {level: error, format: json}
${lines}`;
  await writeFile(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

async function addPeople(): Promise<void> {
  const { config } = readConfiguration(file, {});
  const engines = await openEngines(config, createLog(config.log, process.stderr));
  for (const { username, password } of [admin, helper]) {
    const dn = Dn.parse(`uid=${username},${base}`);
    const attributes = { objectclass: ['inetOrgPerson'], cn: [username], sn: [username] };
    await engines.directory.service.add(dn, new Map(Object.entries(attributes)));
    await engines.directory.service.setPassword(dn, password, { mustChange: false });
  }
  await engines.close();
}

interface Run {
  readonly code: Promise<number>;
  readonly printed: string[];
  readonly errors: string[];
  readonly logged: string[];
  /** As SIGTERM does. */
  readonly stop: () => void;
  /** Where it listens, as soon as it does. */
  readonly url: Promise<string>;
}

function run(args: readonly string[], environment: Record<string, string> = {}): Run {
  const [printed, errors, logged]: [string[], string[], string[]] = [[], [], []];
  let stop = () => {};
  const asked = new Promise<string>((resolve) => {
    stop = () => resolve('SIGTERM');
  });
  let listens = (_url: string) => {};
  const url = new Promise<string>((resolve) => {
    listens = resolve;
  });
  const print = (text: string) => {
    printed.push(text);
    listens(/https:\S+/.exec(text)?.[0] ?? '');
  };
  const printError = (text: string) => errors.push(text);
  const logTo = { write: (line: string) => logged.push(line) };
  const code = runServer(managerCommand, { arguments: args, environment, print, printError, logTo, asked });
  return { code, printed, errors, logged, stop, url };
}

describe('watchword-manager', () => {
  it('warns of a mode PKI that nobody can log in by', async () => {
    const pki = await write('pki.yaml', 'manager_auth: PKI\nmanager: {port: 0}');
    const early = run(['--config', pki]);
    await early.url;
    early.stop();
    expect([await early.code, early.logged]).toEqual([0, []]);
    const warning = /manager_auth is PKI, and no administrator has a certificate .* set it to UID,/;
    expect(early.errors).toEqual([expect.stringMatching(new RegExp(`^Warning: ${warning.source}`))]);
    const { certificates, close } = await openEngines(
      readConfiguration(file, {}).config,
      createLog({ level: 'error', format: 'text' }, process.stderr),
    );
    const [issued, notAfter] = [Date.now(), Date.now() + 3_600_000];
    const subject = `CN=uid=admin,${base},description=ADMIN`;
    await certificates.add({
      ...{ serial: '4a', subject, owner: 'uid=admin', entry: 'x' },
      issued,
      notAfter,
    });
    await close();
    const late = run(['--config', pki]);
    await late.url;
    late.stop();
    expect([await late.code, late.errors]).toEqual([0, []]);
  });

  it('logs what was found at start and where it listens, in JSON or in text', async () => {
    const pki = await write('found.yaml', 'manager_auth: PKI\nmanager: {port: 0}');
    const started = async (format: string) => {
      const data = join(folder, 'nobody');
      const log = { WATCHWORD_LOG__LEVEL: 'info', WATCHWORD_LOG__FORMAT: format };
      const server = run(['--config', pki], { WATCHWORD_DATA: data, ...log });
      const url = await server.url;
      server.stop();
      expect([await server.code, server.errors]).toEqual([0, []]);
      expect(server.printed).toEqual([expect.stringMatching(/^watchword-manager .* listens on https:/)]);
      return { url, logged: server.logged };
    };
    const { url, logged } = await started('json');
    const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    const program = 'watchword-manager';
    const message = expect.stringMatching(/^manager_auth is PKI, and no administrator/);
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', program, message }));
    const listening = { level: 'info', program, url, version: expect.any(String) };
    expect(lines).toContainEqual(expect.objectContaining(listening));
    expect((await started('text')).logged.join('')).toMatch(/^\S+ WARN {2}manager_auth is PKI, and no/m);
  });

  it('says how it is used, and which version it is', async () => {
    const help = run(['--help']);
    expect(await help.code).toBe(0);
    expect(help.printed.join()).toContain('Usage: watchword-manager --config FILE [--check [--offline]]');
    const result = run(['-v']);
    expect([await result.code, result.printed]).toEqual([0, [version]]);
  });

  it('checks a configuration and does nothing else', async () => {
    const good = run(['--config', file, '--check', '--offline']);
    expect([await good.code, good.printed, good.errors]).toEqual([0, ['The configuration is good.'], []]);
    const tried = run(['--config', file, '--check']);
    expect([await tried.code, tried.errors]).toEqual([0, []]);
    expect(tried.printed).toEqual([
      expect.stringMatching(/^the data folder \S+ opens, and so does its key ring$/),
      `directory: the embedded directory, ${base}`,
      '2 users in Default, 0 of them activated',
      '1 administrator',
      'The configuration is good.',
    ]);
    const bad = run(['--check', '-c', await write('bad.yaml', 'manager: {port: many}\nlimit: 1')]);
    expect([await bad.code, bad.printed]).toEqual([1, []]);
    expect(bad.errors.join()).toMatch(/^watchword-manager: .*bad\.yaml, line 6: manager\.port /s);
    const role = `{members: ["uid=helper,${base}"], methods: [Get_User], subtrees: ["${base}"]}`;
    const misspelled = run(['--check', '-c', await write('role.yaml', `roles: {helpdesk: ${role}}`)]);
    expect([await misspelled.code, misspelled.printed]).toEqual([1, []]);
    expect(misspelled.errors.join()).toContain('roles.helpdesk.methods[0] is neither a method');
  });

  it.each([
    ['an option that there is not', ['--port', '1'], /Unknown option '--port'\. Try --help\.$/],
    ['half an option', ['--offline'], /--offline is an option of --check\. Try --help\.$/],
    ['a command that there is not', ['now'], /there is no command "now"\. Try --help\.$/],
    [
      'no file and no settings',
      [],
      /No configuration file is named \(--config FILE\)\.\n.*domains is missing/,
    ],
    ['a file that is not there', ['--config', '/nowhere/watchword.yaml'], /\/nowhere\/watchword\.yaml/],
  ])('ends with one sentence on %s', async (_, args, sentence) => {
    const { code, errors, printed } = run(args);
    expect([await code, printed, errors.length]).toEqual([1, [], 1]);
    expect(errors[0]).toMatch(sentence);
    expect(errors[0]).toMatch(/^watchword-manager: /);
    expect(errors[0]).not.toMatch(/\n\s+at /);
  });

  it('ends with one sentence on a port that is taken, and lets go of its data', async () => {
    const first = run(['--config', file], { WATCHWORD_MANAGER__PORT: '0' });
    const { port } = new URL(await first.url);
    const second = run(['--config', file], { WATCHWORD_MANAGER__PORT: port });
    expect(await second.code).toBe(1);
    expect(second.errors).toEqual([
      expect.stringMatching(
        /^watchword-manager: Port \d+ on 127\.0\.0\.1 is taken; .* \(manager\.port or WATCHWORD_MANAGER__PORT\)\.$/,
      ),
    ]);
    first.stop();
    expect(await first.code).toBe(0);
  });

  it('ends with one sentence on a base that the data folder was not made for', async () => {
    const other = { WATCHWORD_DIRECTORY__BASE: 'dc=other', WATCHWORD_DOMAINS__DEFAULT__BASE: 'dc=other' };
    const { code, errors } = run(['--config', file], other);
    expect(await code).toBe(1);
    expect(errors).toEqual([
      expect.stringMatching(/^watchword-manager: The data folder holds a directory with the base /),
    ]);
  });
});

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** Refused, or reset while it waited to be accepted. */
const nobodyThere = 'nobody accepts the connection';

interface Posting {
  readonly as?: typeof admin;
  /** Called when the server has the head of the request; the body is sent then. */
  readonly onTaken?: () => void;
}

function post(
  url: string,
  agent: Agent,
  body: unknown,
  { as = admin, onTaken }: Posting = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const expect = onTaken && { expect: '100-continue' };
    const options = { method: 'POST', agent, headers: { authorization: basic(as), ...expect } };
    const sent = request(`${url}manag/`, options, async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as unknown });
      } catch (error) {
        reject(error);
      }
    });
    const isSecure = watchTls(sent);
    sent.on('error', (error) => reject(isSecure() ? error : new Error(nobodyThere, { cause: error })));
    if (!onTaken) sent.end(JSON.stringify(body));
    else
      sent.once('continue', () => {
        onTaken();
        sent.end(JSON.stringify(body));
      });
  });
}

const count = { jsonrpc: '2.0', id: 1, method: 'Count_Activated_Users' };

describe('a role', () => {
  it('lets its members write into the server’s own directory, and no further than it goes', async () => {
    const role = `{members: ["uid=helper,${base}"], methods: ["Set_*"], subtrees: ["${base}"], write: [mail]}`;
    const args = ['--config', await write('helper.yaml', `roles: {helpdesk: ${role}}`)];
    const { url, stop, code } = run(args, { WATCHWORD_MANAGER__PORT: '0' });
    const at = await url;
    const agent = new Agent({ ca: await readFile(join(folder, 'data', 'ca.pem'), 'utf8') });
    const setOf = (username: string, attrs: object) => {
      const params = { dn: `uid=${username},${base}`, attrs };
      return post(at, agent, { jsonrpc: '2.0', id: 1, method: 'Set_User_Attrs', params }, { as: helper });
    };
    const denied = { error: { reason: 'permission_denied' } };
    expect((await setOf('helper', { mail: 'h@example.org' })).body).toMatchObject({ result: 1 });
    expect((await setOf('helper', { mobile: '1' })).body).toMatchObject(denied);
    expect((await setOf('admin', { mail: 'h@example.org' })).body).toMatchObject(denied);
    stop();
    expect(await code).toBe(0);
  });
});

describe('a stop under load', () => {
  it('loses no request that was accepted', async () => {
    const { url, stop, code, logged } = run(['--config', file], {
      WATCHWORD_MANAGER__PORT: '0',
      WATCHWORD_MANAGER_SESSION: '60',
    });
    const at = await url;
    const ca = await readFile(join(folder, 'data', 'ca.pem'), 'utf8');
    const agent = new Agent({ ca, keepAlive: true, maxSockets: 16 });
    const failures = new Map<string, number>();
    let answered = 0;
    const caller = async (): Promise<void> => {
      for (;;) {
        try {
          const { status, body } = await post(at, agent, count);
          expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: 0 }]);
          answered += 1;
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          failures.set(why, (failures.get(why) ?? 0) + 1);
          return;
        }
      }
    };
    const callers = Array.from({ length: 16 }, caller);
    while (answered <= 16) await new Promise((resolve) => setTimeout(resolve, 5));
    // On a connection of its own that is open already: after the others it might not be sent before the stop.
    const own = new Agent({ ca, keepAlive: true, maxSockets: 1 });
    await post(at, own, count);
    const batch = post(
      at,
      own,
      Array.from({ length: 1000 }, () => count),
      { onTaken: stop },
    );
    const [{ body }, exit] = await Promise.all([batch, code, ...callers]);
    expect(exit).toBe(0);
    expect(body).toHaveLength(1000);
    // Nobody was cut off: at the end nobody listens any more.
    expect([...failures.keys()]).toEqual([nobodyThere]);
    expect(logged).toEqual([]);
    agent.destroy();
    own.destroy();
  });
});
