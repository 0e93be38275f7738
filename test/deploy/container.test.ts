/**
 * The Containerfile: built and run where a builder is there; everywhere, each of its instructions against what it
 * names: files, packages, programs, ports, settings.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { promisify } from 'node:util';
import { readConfiguration } from '@watchword/cli';
import { readConfig } from '@watchword/core';
import { openOpenssl } from '@watchword/core/testing/bed';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url);
const path = (name: string) => new URL(name, root);
const text = readFileSync(path('deploy/Containerfile'), 'utf8');
const json = (name: string) => JSON.parse(readFileSync(path(name), 'utf8'));

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const instructions: readonly Instruction[] = text
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.slice(line.indexOf(' ') + 1) }));

const all = (name: string) => instructions.filter((one) => one.name === name).map(({ rest }) => rest);
/** Those of the image that comes out. */
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const inLast = (name: string) => last.filter((one) => one.name === name).map(({ rest }) => rest);
const least = { directory: { type: 'embedded', base: 'dc=x' }, domains: { Default: { base: 'dc=x' } } };

describe('the Containerfile', () => {
  it('knows its instructions, and is built on a Node that is supported', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL'];
    const others = instructions.filter(({ name }) => ![...known, 'HEALTHCHECK', 'CMD'].includes(name));
    expect(others).toEqual([]);
    for (const from of all('FROM')) expect(from).toMatch(/^docker\.io\/library\/node:24-slim(?: AS \w+)?$/);
  });

  it('copies what is there, from stages that are there', () => {
    const stages = all('FROM').map((from) => from.split(' AS ')[1]);
    for (const copy of all('COPY')) {
      const [, stage] = /^--from=(\w+) /.exec(copy) ?? [];
      const [source = ''] = copy.replace(/^--from=\w+ /, '').split(' ');
      if (stage === undefined) expect([source, existsSync(path(source))]).toEqual([source, true]);
      else expect(stages).toContain(stage);
    }
  });

  it('packs the servers, and what of ours they depend on', () => {
    const [pack = ''] = all('RUN').filter((line) => line.includes(' pack '));
    const packed = Array.from(pack.matchAll(/--filter (@watchword\/[\w-]+)/g), ([, name = '']) => name);
    const needed = ['server-manager', 'server-ws'].flatMap((name) => {
      const { name: own, dependencies } = json(`packages/${name}/package.json`);
      return [own, ...Object.keys(dependencies).filter((one) => one.startsWith('@watchword/'))];
    });
    expect(packed.sort()).toEqual([...new Set(needed)].sort());
    const { scripts } = json('package.json');
    for (const line of all('RUN').filter((one) => one.includes('pnpm@')))
      expect(line).toContain(/pnpm@[\d.]+/.exec(readFileSync(path('scripts/workspace.mjs'), 'utf8'))?.[0]);
    expect(scripts.build).toContain('pnpm -r --filter');
  });

  it('runs as nobody special, a program that is installed, on the usual ports', () => {
    expect(inLast('USER')).toEqual(['node']);
    const [program, ...args] = JSON.parse(inLast('CMD')[0] ?? '[]');
    expect(Object.keys(json('packages/server-manager/package.json').bin)).toEqual([program]);
    expect(args).toEqual(['--config', '/etc/watchword/watchword.yaml']);
    const { manager, ws } = readConfig(least);
    expect(inLast('EXPOSE')).toEqual([`${manager.port} ${ws.port}`]);
    expect(JSON.parse(inLast('VOLUME')[0] ?? '')).toEqual(['/etc/watchword', '/var/lib/watchword']);
  });

  it('sets settings that there are', () => {
    const pairs = inLast('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=', 2)));
    const environment = Object.fromEntries(pairs.filter(([name = '']) => name.startsWith('WATCHWORD_')));
    const more = { WATCHWORD_DIRECTORY__TYPE: 'embedded', WATCHWORD_DIRECTORY__BASE: 'dc=x' };
    const { config, warnings } = readConfiguration(undefined, {
      ...environment,
      ...more,
      WATCHWORD_DOMAINS__DEFAULT__BASE: 'dc=x',
      WATCHWORD_SUPER_ADMINS: 'uid=a,dc=x',
    });
    expect([warnings, config.manager.host, config.ws.host]).toEqual([[], '0.0.0.0', '0.0.0.0']);
  });

  it('leaves out of the build what does not belong into it', () => {
    const ignored = readFileSync(path('.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', '.git', 'data']));
  });
});

describe('the health check', () => {
  const [, command = '[]'] = /CMD (\[.*\])$/.exec(inLast('HEALTHCHECK')[0] ?? '') ?? [];
  const [program, script] = JSON.parse(command);

  it('is the script that is copied there', () => {
    expect(program).toBe('node');
    expect(all('COPY')).toContain(`deploy/healthcheck.mjs ${script}`);
  });

  it.each([
    [200, 0],
    [503, 1],
  ])('of a server that answers %d ends with %d', async (status, code) => {
    const openssl = await openOpenssl();
    const { certificate: cert, key } = await openssl.certify('/CN=localhost');
    const asked: (string | undefined)[] = [];
    const server = createServer({ cert, key }, ({ url }, response) => {
      asked.push(url);
      response.writeHead(status).end();
    });
    await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    expect(await check(port)).toBe(code);
    expect(asked).toEqual(['/healthz']);
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    expect(await check(port)).toBe(1);
    await openssl.close();
  });

  const check = (port: string): Promise<number> =>
    run(process.execPath, [new URL('deploy/healthcheck.mjs', root).pathname, port]).then(
      () => 0,
      ({ code }) => code,
    );
});

/** A program that can build here: it is installed, and its daemon, if it has one, answers. */
async function findBuilder(): Promise<string | undefined> {
  for (const name of ['podman', 'docker']) {
    const works = await run(name, ['info']).then(
      ({ stdout }) => !stdout.includes('ERROR'),
      () => false,
    );
    if (works) return name;
  }
  return undefined;
}

const builder = await findBuilder();

describe.runIf(builder !== undefined)('an image', () => {
  it('is built, and has both programs in it', { timeout: 900_000 }, async () => {
    const [name = '', folder] = [builder, root.pathname];
    const { stdout } = await run(name, ['build', '-q', '-f', 'deploy/Containerfile', '.'], { cwd: folder });
    for (const program of ['watchword-manager', 'watchword-ws'])
      expect((await run(name, ['run', '--rm', stdout.trim(), program, '--version'])).stdout).toMatch(/^\d/);
  });
});
