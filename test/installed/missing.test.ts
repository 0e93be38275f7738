/** An installation that lost a package: one sentence that names it, and what to do. */
import { existsSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, openInstallation, placeOf } from './installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
  const configuration = {
    data: 'data',
    // Both kinds, which need all engines between them.
    directory: { type: 'embedded', base: 'dc=x' },
    directories: {
      branch: {
        type: 'ldap',
        urls: ['ldaps://localhost'],
        bind_dn: 'cn=x',
        bind_password: 'x',
        base: 'dc=y',
      },
    },
    domains: { Default: { base: 'dc=x' } },
    super_admins: ['uid=admin,dc=x'],
    metrics_clients: ['::1'],
  };
  await installation.write('watchword.yaml', JSON.stringify(configuration));
});
afterAll(() => installation.close());

const at = (...path: string[]): string => join(installation.folder, ...path);

const ours = ['core', 'node', 'pki', 'embedded', 'postgres', 'gateways', 'openid', 'ldap', 'engines'];

/** Below the package that wants it, where another one has another version. */
const nestedIn = (owner: string, name: string): string => at(placeOf(`@watchword/${owner}`), placeOf(name));

/** Runs work while a package is not there. */
async function without<T>(name: string, work: () => Promise<T>): Promise<T> {
  const places = [at(placeOf(name)), ...ours.map((owner) => nestedIn(owner, name))].filter((place) =>
    existsSync(place),
  );
  expect(places).not.toEqual([]);
  const away = (index: number) => at(`away-${index}-${name.replace('/', '-')}`);
  for (const [index, place] of places.entries()) await rename(place, away(index));
  try {
    return await work();
  } finally {
    for (const [index, place] of places.entries()) await rename(away(index), place);
  }
}

function dependenciesOf(name: string): readonly string[] {
  const manifest = new URL(`../../packages/${name}/package.json`, import.meta.url);
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(manifest, 'utf8'),
  );
  return Object.keys(dependencies);
}

const packages = [...new Set(ours.flatMap(dependenciesOf))].filter((name) => !name.startsWith('@watchword/'));
const servers = ['watchword-ws', 'watchword-manager'];
/** What is not in the bundle of a server. */
const engines = dependenciesOf('server-ws').filter((name) => !name.startsWith('@watchword/'));

const withoutAll = <T>(names: readonly string[], work: () => Promise<T>): Promise<T> =>
  names.reduce((inner, name) => () => without(name, inner), work)();

const sentence = (name: string) =>
  `The package ${name} is not installed. Run npm install again where the server is installed.\n`;

describe('a server without a package', () => {
  it.each(engines)('%s: names it, at its start and with --check', async (name) => {
    const said = await without(name, () =>
      Promise.all(
        servers.flatMap((server) => [
          installation.run(server, '--config', 'watchword.yaml'),
          installation.run(server, '--config', 'watchword.yaml', '--check'),
        ]),
      ),
    );
    const refused = servers.map((server) => ({
      ...{ code: 1, output: '' },
      errors: `${server}: ${sentence(name)}`,
    }));
    expect(said).toEqual(refused.flatMap((one) => [one, one]));
  });

  it.each(servers)('%s needs no other one: it brings all that it loads', async (server) => {
    expect(dependenciesOf(server.replace('watchword', 'server'))).toEqual(dependenciesOf('server-ws'));
    const others = [
      ...ours.map((name) => `@watchword/${name}`),
      ...packages.filter((name) => !engines.includes(name)),
    ];
    expect(
      await withoutAll(others, () =>
        installation.run(server, '--config', 'watchword.yaml', '--check', '--offline'),
      ),
    ).toMatchObject({ code: 0, errors: '' });
  });

  it('names the others where they are bundled, and under which licence', () => {
    for (const server of servers) {
      const place = at(placeOf(`@watchword/${server.replace('watchword', 'server')}`), 'dist');
      const notices = readFileSync(join(place, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
      const bundled = packages.filter((name) => !engines.includes(name));
      const named = bundled.filter((name) => new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, `, 'm').test(notices));
      expect(named).toEqual(bundled);
    }
  });
});

it.each([
  ['@node-rs/argon2', `@node-rs/argon2-linux-${process.arch}-gnu`],
  ['@node-rs/bcrypt', `@node-rs/bcrypt-linux-${process.arch}-gnu`],
  ['lmdb', `@lmdb/lmdb-linux-${process.arch}`],
])('a server without the binary of %s names it', async (name, binary) => {
  const { code, errors } = await without(binary, () =>
    installation.run('watchword-ws', '--config', 'watchword.yaml', '--check'),
  );
  expect([code, errors.split('\n').length]).toEqual([1, 2]);
  expect(errors).toContain(
    `The package ${name} is installed without its binary for linux on ${process.arch}.`,
  );
  expect(errors).toContain('with its optional dependencies');
});

describe('who embeds the core', () => {
  const load = (part: string) => () => installation.run('node', '-e', `import('@watchword/${part}')`);

  it.each([
    ['core', []],
    ['engines', ['pino']],
    ['ldap', ['ldapts', 'pino']],
    ['postgres', ['pg']],
    ['embedded', ['lmdb', '@node-rs/argon2', '@node-rs/bcrypt']],
    ['pki', []],
    ['gateways/smpp', ['smpp']],
    ['gateways/smtp', ['nodemailer']],
    ['gateways/http', []],
    ['gateways/web-push', ['web-push']],
    ['node', ['pino']],
    ['node/prometheus', ['prom-client']],
    // With its log.
    ['node/http', ['pino']],
  ])('loads with @watchword/%s the packages of that part, and no other', async (part, own) => {
    const others = packages.filter((name) => !own.includes(name));
    expect(await withoutAll(others, load(part))).toEqual({ code: 0, output: '', errors: '' });
    if (own.length > 0) expect(await withoutAll(own, load(part))).toMatchObject({ code: 1 });
  });

  it.each(['otp', 'dn', 'ports', 'foundation', 'http'])(
    'loads with @watchword/core/%s no package at all',
    async (part) => {
      expect(await withoutAll(packages, load(`core/${part}`))).toEqual({ code: 0, output: '', errors: '' });
    },
  );
});
