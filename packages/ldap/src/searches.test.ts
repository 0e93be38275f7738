/** Searches beyond the contract on a real slapd: many pages, limits of the server, shared connections. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import { equal, matchAll } from '../../core/src/foundation/text/filter.ts';
import { parseFilter } from '../../core/src/foundation/text/filter-text.ts';
import type { DirectoryServer, Entry } from '../../core/src/ports/directory/directory.ts';
import { type Slapd, startSlapd } from '../../core/src/testing/bed/engines/slapd.ts';
import { KeptLog } from '../../core/src/testing/kept-log.ts';
import { systemClock } from '../../node/src/machine/clock.ts';
import type { LdapOptions } from './connection/options.ts';
import { openLdapDirectory } from './index.ts';

const users = 3_000;
let slapd: Slapd;

beforeAll(async () => {
  slapd = await startSlapd({ users, sizeLimit: 600 });
  return () => slapd.stop();
});

function connect(options: Partial<LdapOptions> = {}): DirectoryServer {
  const { ldapsUrl, ca, readerDn, readerPassword } = slapd;
  const server = openLdapDirectory(
    { urls: [ldapsUrl], ca, bind_dn: readerDn, bind_password: readerPassword, ...options },
    { clock: systemClock, log: new KeptLog() },
  );
  onTestFinished(() => server.close());
  return server;
}

const filter = equal('objectClass', 'webadmAccount');
const names = (entries: readonly { dn: string }[]): string[] =>
  entries.map(({ dn }) => dn.split(',')[0] ?? '');
const inOrder = Array.from({ length: users }, (_, n) => `uid=user${n}`);

describe('large search', () => {
  it('returns all entries in order, beyond the size limit of the server', async () => {
    const search = { base: Dn.parse(slapd.people), scope: 'sub', filter, attributes: ['uid'] } as const;
    const entries = await connect().service.search(search);
    expect(names(entries)).toEqual(inOrder);
    expect([...(entries[0]?.attributes.keys() ?? [])]).toEqual(['uid']);
  });

  it('returns them beside other searches on one connection', async () => {
    const { service } = connect({ connections: 1, page_size: 100 });
    const search = { base: Dn.parse(slapd.people), scope: 'one', filter, attributes: [] } as const;
    const small = { ...search, filter: equal('uid', 'user7'), limit: 1 };
    const found = await Promise.all([
      ...[1, 2, 3].map(() => service.search(search)),
      ...[1, 2, 3, 4, 5].map(() => service.search(small)),
    ]);
    expect(found.map((entries) => entries.length)).toEqual([users, users, users, 1, 1, 1, 1, 1]);
  });

  it('waits for others no longer than its timeout', async () => {
    const { service } = connect({ connections: 1, page_size: 1, timeout_ms: 1_000 });
    const search = { base: Dn.parse(slapd.people), scope: 'one', filter, attributes: [] } as const;
    await service.read(search.base);
    const searches = await Promise.allSettled(Array.from({ length: 5 }, () => service.search(search)));
    const refused = searches.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(5);
    const busy = { reason: 'unavailable', detail: 'the directory is busy with long searches' };
    for (const reason of refused) expect(reason).toMatchObject(busy);
  });

  it.each([1, 499, 500, 501, 2_999])(
    'fails with more than %i entries when that is the limit',
    async (limit) => {
      const search = { base: Dn.parse(slapd.people), scope: 'one', filter, attributes: [], limit } as const;
      await expect(connect().service.search(search)).rejects.toMatchObject({ reason: 'too_large' });
    },
  );

  it('returns exactly the limit when there are no more', async () => {
    const search = {
      base: Dn.parse(slapd.people),
      scope: 'one',
      filter,
      attributes: [],
      limit: users,
    } as const;
    expect(await connect().service.search(search)).toHaveLength(users);
  });
});

describe('base', () => {
  it('is the naming context for a search from the root', async () => {
    const search = { base: Dn.root, scope: 'sub', filter: matchAll, attributes: [], limit: 3 } as const;
    await expect(connect().service.search(search)).rejects.toMatchObject({ reason: 'too_large' });
    const one = await connect().service.search({ ...search, filter: parseFilter('(dc=example)') });
    expect(one.map(({ dn }) => dn)).toEqual([slapd.base]);
  });

  it('is the configured one', async () => {
    const search = { base: Dn.root, scope: 'one', filter: matchAll, attributes: [] } as const;
    expect(await connect({ base: slapd.groups }).service.search(search)).toEqual([]);
  });

  it('fails a probe when it does not exist', async () => {
    await expect(connect({ base: 'dc=elsewhere' }).probe()).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('kind of server', () => {
  it('is read from the root DSE', async () => {
    expect(await connect().capabilities(Dn.root)).toEqual({
      vendor: 'openldap',
      accountSchema: true,
      identifier: 'entryuuid',
      mustChangeAttribute: 'pwdreset',
      service: Dn.parse(slapd.readerDn),
      base: Dn.parse(slapd.base),
    });
  });
});

describe('flag that a password must be changed', () => {
  it('is taken from an entry that was just read, without a request', async () => {
    const known = { dn: slapd.readerDn, attributes: new Map([['pwdreset', ['TRUE']]]) };
    const asked = (entry?: Entry) =>
      connect().authenticate(Dn.parse(slapd.readerDn), slapd.readerPassword, { entry });
    expect(await asked(known)).toEqual({ granted: true, mustChange: true });
    expect(await asked()).toEqual({ granted: true, mustChange: false });
  });
});
