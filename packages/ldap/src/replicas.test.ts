/** Servers that are empty, incomplete or back again. Real slapd. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { equal } from '../../core/src/foundation/text/filter.ts';
import type { Clock } from '../../core/src/ports/clock.ts';
import type { DirectoryServer } from '../../core/src/ports/directory/directory.ts';
import { type Slapd, type SlapdOptions, startSlapd } from '../../core/src/testing/bed/engines/slapd.ts';
import { seedLdif } from '../../core/src/testing/bed/engines/slapd-configuration.ts';
import { run, scratchFolder } from '../../core/src/testing/bed/scratch.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';
import { systemClock } from '../../node/src/machine/clock.ts';
import { type LdapOptions, openLdapDirectory } from './index.ts';

/** A clock whose periodic tasks run at once. */
const hasty: Clock = { ...systemClock, every: (_, task) => systemClock.every(50, task) };
const patient = { timeout: 20_000 };
const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const user = Dn.parse(`uid=user0,${people}`);
const root = { dn: `cn=admin,${base}`, password: 'root-secret' };
const administrator = { dn: `cn=administrator,${people}`, password: 'Adm1nistrator!' };
const half = `dn: ${base}
objectClass: organization
objectClass: dcObject
o: Example
dc: example
`;
const referred = `${half}
dn: ${people}
objectClass: referral
objectClass: extensibleObject
ou: people
ref: ldap://elsewhere.example.org/${people}
`;

let good: Slapd;
beforeAll(async () => {
  good = await startSlapd({ users: 3 });
});
afterAll(() => good.stop());

async function start(options: SlapdOptions): Promise<Slapd> {
  const slapd = await startSlapd(options);
  onTestFinished(() => slapd.stop());
  return slapd;
}

interface Opening extends Partial<LdapOptions> {
  readonly as?: { readonly dn: string; readonly password: string };
}

function open(servers: readonly Slapd[], { as = root, ...options }: Opening = {}) {
  const log = new KeptLog();
  const urls = servers.map(({ port }) => `ldap://127.0.0.1:${port}`);
  const service = { bind_dn: as.dn, bind_password: as.password };
  const given = { urls, base, bases: [people], ...service, allow_plain: true, ...options };
  const server = openLdapDirectory(given, { clock: hasty, log });
  onTestFinished(() => server.close());
  const of = (url: string) => log.lines.filter(({ fields }) => fields.url === url);
  return { server, log, linesOf: (slapd: Slapd) => of(`ldap://127.0.0.1:${slapd.port}`) };
}

/** Searches as a login does. */
async function isFound({ service }: DirectoryServer): Promise<boolean> {
  const filter = equal('uid', 'user0');
  return (await service.search({ base: Dn.parse(people), scope: 'sub', filter, limit: 1 })).length === 1;
}

const logsIn = async (server: DirectoryServer) => (await server.authenticate(user, 'password0')).granted;

/** Applies LDIF, or removes DNs, as the root of a server. */
async function type({ port }: Slapd, tool: 'ldapadd' | 'ldapdelete', text: string): Promise<void> {
  const folder = await scratchFolder('replica');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'typed');
  writeFileSync(file, `${text}\n`);
  const more = tool === 'ldapdelete' ? ['-r'] : [];
  await run(tool, [
    ...['-x', '-H', `ldap://127.0.0.1:${port}`, '-D', root.dn, '-w', root.password],
    ...[...more, '-f', file],
  ]);
}

describe('server', () => {
  it.each([
    ['is empty', '', root],
    ['has no entry of the service', '', administrator],
    ['has no base of a domain', half, root],
    ['refers to another one for the base of a domain', referred, root],
  ])('is skipped by logins when it %s', async (_, ldif, as) => {
    const poor = await start({ ldif, ppolicy: false });
    const { server, linesOf } = open([poor, good], { as });
    expect(await Promise.all([logsIn(server), isFound(server)])).toEqual([true, true]);
    expect((await server.bind(user, 'password0')).granted).toBe(true);
    expect(await server.service.read(user, ['cn'])).toBeDefined();
    expect(linesOf(poor)).toHaveLength(1);
  });

  it('is replaced when it loses its entries, and preferred again when they are back', async () => {
    const first = await start({ users: 3 });
    const { server, log } = open([first, good]);
    expect([await isFound(server), await logsIn(server)]).toEqual([true, true]);
    await type(first, 'ldapdelete', people);
    const all = await Promise.all(Array.from({ length: 20 }, () => isFound(server)));
    expect(new Set(all)).toEqual(new Set([true]));
    expect(await logsIn(server)).toBe(true);
    const lost = seedLdif({ users: 3 })
      .split(/\n(?=dn: )/)
      .filter((entry) => entry.split('\n')[0]?.endsWith(people));
    await type(first, 'ldapadd', lost.join('\n'));
    await expect
      .poll(() => log.lines.some(({ message }) => message === 'directory server preferred again'), patient)
      .toBe(true);
    await type(
      first,
      'ldapadd',
      `dn: ou=here only,${base}\nobjectClass: organizationalUnit\nou: here only\n`,
    );
    expect(await server.service.read(Dn.parse(`ou=here only,${base}`))).toBeDefined();
  });

  it('is not used by earlier connections when it comes back empty', async () => {
    const first = await start({ users: 3 });
    const { server } = open([first, good]);
    expect([await isFound(server), await logsIn(server)]).toEqual([true, true]);
    await type(first, 'ldapdelete', base);
    await first.restart();
    expect([await logsIn(server), await isFound(server)]).toEqual([true, true]);
  });

  it('is used again some time after an outage', async () => {
    const first = await start({ users: 3 });
    await first.halt();
    const { server, linesOf } = open([first, good]);
    expect(await isFound(server)).toBe(true);
    await first.resume();
    const last = () => linesOf(first).at(-1)?.message;
    await expect.poll(last, patient).toBe('directory server preferred again');
    expect(await isFound(server)).toBe(true);
  });

  it('is used while it lacks entries only as long as no other responds', async () => {
    const [poor, away] = await Promise.all([start({ ldif: half, ppolicy: false }), start({ users: 3 })]);
    await away.halt();
    const { server, linesOf } = open([poor, away]);
    await expect(isFound(server)).rejects.toMatchObject({ reason: 'not_found' });
    await away.resume();
    await expect.poll(() => linesOf(away).at(-1)?.message, patient).toBe('directory server preferred again');
    expect(await isFound(server)).toBe(true);
  });
});

describe('base that no server has', () => {
  const later = Dn.parse(`ou=later,${base}`);

  it('is not found, and prevents the use of no server', async () => {
    const other = await start({ users: 3 });
    const { server } = open([other, good], { bases: [people, later.format()] });
    expect(await server.service.read(later, ['1.1'])).toBeUndefined();
    const search = { base: later, scope: 'sub', filter: equal('uid', 'user0') } as const;
    await expect(server.service.search(search)).rejects.toMatchObject({ reason: 'not_found' });
    expect([await isFound(server), await logsIn(server)]).toEqual([true, true]);
  });
});

it('does not retry a password of the service that all servers refuse', async () => {
  const other = await start({ users: 3 });
  const { server } = open([other, good], { as: { ...administrator, password: 'wrong' } });
  for (let n = 0; n < 8; n += 1)
    await expect(logsIn(server)).rejects.toMatchObject({
      reason: 'unavailable',
      detail: expect.stringContaining('bind_dn'),
    });
  // Five wrong passwords would have locked it.
  const { server: right } = open([other, good], { as: administrator });
  expect(await isFound(right)).toBe(true);
});
