/** The cost of a page in entries that a real slapd sends, as itself and as an unknown server. */
import { createConnection } from 'node:net';
import { Transform } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { matchAll, startsWith } from '../../../core/src/foundation/text/filter.ts';
import type {
  ChildrenPage,
  ChildrenRequest,
  Directory,
  DirectoryServer,
} from '../../../core/src/ports/directory/directory.ts';
import { type Slapd, startSlapd } from '../../../core/src/testing/bed/engines/slapd.ts';
import { ssha } from '../../../core/src/testing/bed/engines/slapd-configuration.ts';
import { joinSockets, listenOnLoopback } from '../../../core/src/testing/bed/scratch.ts';
import { KeptLog } from '../../../core/src/testing/kept-log.ts';
import { systemClock } from '../../../node/src/machine/clock.ts';
import { openLdapDirectory } from '../index.ts';
import { Frames } from '../wire/frames.ts';

const many = 3_000;
const base = 'dc=example,dc=org';
const crowd = Dn.parse(`ou=crowd,${base}`);
const usual: ChildrenRequest = { base: crowd, filter: matchAll, attributes: ['objectclass'], limit: 200 };
const admin = Dn.parse(`cn=administrator,ou=people,${base}`);
const password = 'Adm1nistrator!';

function ldif(): string {
  const record = (dn: string, lines: string) => `dn: ${dn}\n${lines}\n\n`;
  const person = (n: number) =>
    record(`uid=user${n},${crowd}`, `objectClass: inetOrgPerson\nuid: user${n}\ncn: User ${n}\nsn: ${n}`);
  return [
    record(base, 'objectClass: organization\nobjectClass: dcObject\no: Example\ndc: example'),
    record(`ou=people,${base}`, 'objectClass: organizationalUnit\nou: people'),
    record(
      `${admin}`,
      `objectClass: inetOrgPerson\ncn: administrator\nsn: A\nuserPassword: ${ssha(password)}`,
    ),
    record(`${crowd}`, 'objectClass: organizationalUnit\nou: crowd'),
    ...Array.from({ length: many }, (_, n) => person(n)),
  ].join('');
}

/** The tag of a search result entry, RFC 4511 §4.5.2. */
const searchEntry = 0x64;

interface Watched {
  readonly port: number;
  /** Returns the entries sent since the last call. */
  sent(): number;
}

/** A proxy to slapd. @param isKnown false: hides that it is OpenLDAP */
async function watch(slapd: Slapd, isKnown: boolean): Promise<Watched> {
  let count = 0;
  const listener = await listenOnLoopback((client) => {
    const frames = new Frames();
    const counting = new Transform({
      transform: (chunk: Buffer, _, done) => {
        const tags = frames.push(Buffer.from(chunk)).map((frame) => operationOf(frame));
        count += tags.filter((tag) => tag === searchEntry).length;
        const text = chunk.toString('latin1');
        done(
          null,
          isKnown ? chunk : Buffer.from(text.replace('OpenLDAProotDSE', 'OtherLDAPserver'), 'latin1'),
        );
      },
    });
    joinSockets(client, createConnection(slapd.port, '127.0.0.1'), counting);
  });
  onTestFinished(() => listener.stop());
  const sent = () => {
    const before = count;
    count = 0;
    return before;
  };
  return { port: listener.port, sent };
}

/** Returns the operation after the length and id of a message. */
function operationOf(frame: Buffer): number | undefined {
  const [, length = 0] = frame;
  const number = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return frame[number + 2 + (frame[number + 1] ?? 0)];
}

async function open(port: number): Promise<{ server: DirectoryServer; directory: Directory }> {
  const urls = [`ldap://127.0.0.1:${port}`];
  const service = { bind_dn: `${admin}`, bind_password: password, base, allow_plain: true };
  const server = openLdapDirectory({ urls, ...service }, { clock: systemClock, log: new KeptLog() });
  onTestFinished(() => server.close());
  const bound = await server.bind(admin, password);
  if (!bound.granted) throw new Error(bound.refusal);
  return { server, directory: bound.directory };
}

async function walk(directory: Directory, from?: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after = from, pages = 0; pages < 100; pages += 1) {
    const page: ChildrenPage = await directory.children({ ...usual, after });
    names.push(...page.entries.map(({ dn }) => dn));
    after = page.next;
    if (after === undefined) return names;
  }
  throw new Error('the pages do not come to an end');
}

describe('children', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd({ ldif: ldif(), unchecked: true, sizeLimit: 500 });
  });
  afterAll(() => slapd.stop());

  describe.each([
    ['OpenLDAP', true, 'openldap'],
    ['a server that nobody knows', false, 'other'],
  ] as const)('of %s', (_, isKnown, vendor) => {
    it('cost one page each, the last one too', async () => {
      const { port, sent } = await watch(slapd, isKnown);
      const { server, directory } = await open(port);
      expect((await server.capabilities(crowd)).vendor).toBe(vendor);
      sent();
      const first = await directory.children(usual);
      expect(first.entries).toHaveLength(200);
      // The first response, which shows that there is more than a page, and the page.
      expect(sent()).toBeLessThanOrEqual(201 + 200);
      const names = first.entries.map(({ dn }) => dn);
      for (let after = first.next; after !== undefined; ) {
        const page: ChildrenPage = await directory.children({ ...usual, after });
        expect(sent()).toBeLessThanOrEqual(200);
        names.push(...page.entries.map(({ dn }) => dn));
        after = page.next;
      }
      expect(new Set(names).size).toBe(many);
      expect(names).toHaveLength(many);
    });

    it('continue in another process, and after a restart of the server', async () => {
      const { port } = await watch(slapd, isKnown);
      const [here, there] = [await open(port), await open(port)];
      const first = await here.directory.children(usual);
      const second = await there.directory.children({ ...usual, after: first.next });
      await slapd.restart();
      const rest = await walk(here.directory, second.next);
      const names = [...first.entries, ...second.entries].map(({ dn }) => dn).concat(rest);
      expect(new Set(names).size).toBe(many);
      expect(names).toHaveLength(many);
    });
  });

  it('continue by count when the last entry was deleted, for the same identity and request only', async () => {
    const [here, there] = [await open(slapd.port), await open(slapd.port)];
    const first = await here.directory.children(usual);
    const gone = first.entries.at(-1)?.dn ?? '';
    await here.directory.remove(Dn.parse(gone));
    const rest = await walk(there.directory, first.next);
    expect(rest).toHaveLength(many - 200);
    // The token of another search finds no cursor and no position.
    const other = { ...usual, filter: startsWith('cn', 'User 29'), limit: 10 };
    const page = await here.directory.children({ ...other, after: first.next });
    expect(page.entries.every(({ dn }) => dn.startsWith('uid=user29'))).toBe(true);
  });
});

it('come once each past OpenLDAP’s limit of paging', async () => {
  const slapd = await startSlapd({ ldif: ldif(), unchecked: true, sizeLimit: 500, pagedLimit: 500 });
  onTestFinished(() => slapd.stop());
  const { directory } = await open(slapd.port);
  const names = await walk(directory);
  expect([names.length, new Set(names).size]).toEqual([many, many]);
  const first = await directory.children(usual);
  const second = await directory.children({ ...usual, after: first.next });
  // Another process, after one of the returned entries was deleted.
  await directory.remove(Dn.parse(first.entries[7]?.dn ?? ''));
  const { directory: there } = await open(slapd.port);
  const came = [...first.entries, ...second.entries].map(({ dn }) => dn);
  const all = came.concat(await walk(there, second.next));
  expect([all.length, new Set(all).size]).toEqual([many, many]);
});

it('fail with the limit of the server when it stops a search', async () => {
  const slapd = await startSlapd({ ldif: ldif(), unchecked: true, sizeLimit: 500, pagedLimit: 500 });
  onTestFinished(() => slapd.stop());
  const { directory } = await open(slapd.port);
  const all = { base: crowd, scope: 'one', filter: matchAll, attributes: [] } as const;
  await expect(directory.search(all)).rejects.toMatchObject({
    reason: 'too_large',
    detail: 'The size limit of the directory server lets nobody read so many entries',
  });
  await expect(directory.search({ ...all, limit: 100 })).rejects.toMatchObject({
    reason: 'too_large',
    detail: 'more than 100 entries',
  });
});

it('come one at a time by ranges, without attributes that only sorting needs', async () => {
  const slapd = await startSlapd({ ldif: ldif(), unchecked: true, sizeLimit: 500 });
  onTestFinished(() => slapd.stop());
  const { directory } = await open(slapd.port);
  const few = { ...usual, filter: startsWith('cn', 'User 299'), limit: 1 };
  const names: string[] = [];
  for (let after: string | undefined = `0.${(1n << 128n).toString(36)}`; after !== undefined; ) {
    const page: ChildrenPage = await directory.children({ ...few, after });
    expect(page.entries.every(({ attributes }) => [...attributes.keys()].join() === 'objectclass')).toBe(
      true,
    );
    names.push(...page.entries.map(({ dn }) => dn));
    after = page.next;
  }
  // User 299 and its ten.
  expect([names.length, new Set(names).size]).toEqual([11, 11]);
});
