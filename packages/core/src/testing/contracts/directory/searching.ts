/** Contract: searches: scopes, order, limits, attribute selection, binary values. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../../foundation/text/dn.ts';
import { equal, matchAll } from '../../../foundation/text/filter.ts';
import { parseFilter } from '../../../foundation/text/filter-text.ts';
import type { Entry } from '../../../ports/directory/directory.ts';
import { certificate } from './certificate.ts';
import { attributes, namesOf, reasonOf, type TestBed } from './test-bed.ts';

export function describeSearching(bed: TestBed): void {
  describe('searching', () => {
    describeScopes(bed);
    describeOrderAndLimit(bed);
    describePages(bed);
    describeSelection(bed);
    describeBinaryValues(bed);
  });
}

function describeScopes(bed: TestBed): void {
  describe('scopes', () => {
    let top: Dn;
    let below: Dn;
    const keys = async (base: Dn, scope: 'base' | 'one' | 'sub'): Promise<string[]> => {
      const entries = await bed.admin.search({ base, scope, filter: matchAll, attributes: [] });
      return entries.map((entry) => Dn.parse(entry.dn).key);
    };
    beforeAll(async () => {
      top = await bed.container();
      below = await bed.container(top);
      await bed.person(below, 'deep');
    });

    it('base gives the base only', async () => {
      expect(await keys(top, 'base')).toEqual([top.key]);
    });

    it('one gives the children, without the base and what is deeper', async () => {
      expect(await keys(top, 'one')).toEqual([below.key]);
    });

    it('sub gives everything, the base first', async () => {
      expect(await keys(top, 'sub')).toEqual([
        top.key,
        below.key,
        below.child([{ type: 'cn', value: 'deep' }]).key,
      ]);
    });

    it('gives an empty list where nothing matches', async () => {
      const filter = equal('cn', 'nobody at all');
      expect(await bed.admin.search({ base: top, scope: 'sub', filter })).toEqual([]);
    });

    it('refuses a base that does not exist', async () => {
      const base = top.child([{ type: 'ou', value: 'missing' }]);
      expect(await reasonOf(bed.admin.search({ base, scope: 'sub', filter: matchAll }))).toBe('not_found');
      expect(await reasonOf(bed.admin.search({ base, scope: 'base', filter: matchAll }))).toBe('not_found');
    });

    it('finds a name however it is spelled', async () => {
      const spelled = Dn.parse(top.toString().replace('ou=case', ' OU = CASE').replace(',', ' , '));
      expect(await keys(spelled, 'base')).toEqual([top.key]);
    });
  });
}

function describeOrderAndLimit(bed: TestBed): void {
  describe('order and limit', () => {
    const created = ['zoe', 'adam', 'mia', 'ben', 'Yan', 'carl'];
    let base: Dn;
    const search = (limit?: number) =>
      bed.admin.search({
        base,
        scope: 'one',
        filter: matchAll,
        attributes: ['cn'],
        ...(limit !== undefined && { limit }),
      });
    beforeAll(async () => {
      base = await bed.container();
      for (const name of created) await bed.person(base, name);
    });

    it('gives entries in the order of their creation', async () => {
      expect(namesOf(await search())).toEqual(created);
    });

    if (!bed.traits.readOnly) {
      it('keeps that order after a modify and a rename', async () => {
        const dn = base.child([{ type: 'cn', value: 'zoe' }]);
        await bed.admin.modify(dn, [{ operation: 'replace', attribute: 'sn', values: ['Changed'] }]);
        await bed.admin.rename(dn, { rdn: [{ type: 'cn', value: 'zora' }] });
        expect(namesOf(await search())).toEqual(['zora', ...created.slice(1)]);
        await bed.admin.rename(base.child([{ type: 'cn', value: 'zora' }]), {
          rdn: [{ type: 'cn', value: 'zoe' }],
        });
      });
    }

    it('gives as many as the limit allows', async () => {
      expect(await search(created.length)).toHaveLength(created.length);
    });

    it('refuses one more than the limit', async () => {
      expect(await reasonOf(search(created.length - 1))).toBe('too_large');
    });

    it('gives a part of them where that is enough', async () => {
      const some = (limit: number) =>
        bed.admin.search({
          base,
          scope: 'one',
          filter: matchAll,
          attributes: ['cn'],
          limit,
          partial: true,
        });
      expect(await some(2)).toHaveLength(2);
      expect(created).toEqual(expect.arrayContaining(namesOf(await some(2))));
      expect(await some(created.length + 1)).toHaveLength(created.length);
    });
  });
}

function describePages(bed: TestBed): void {
  describe('pages', () => {
    const filter = parseFilter('(sn=paged)');
    const people = Array.from({ length: 550 }, (_, n) => `paged ${n}`);
    let base: Dn;
    beforeAll(async () => {
      base = await bed.container();
      for (const name of people) await bed.person(base, name, { sn: ['paged'] });
      await bed.person(await bed.container(), 'elsewhere', { sn: ['paged'] });
    });

    it('give everything below a base once, in several, while it is changed where it can be', async () => {
      const pages: string[][] = [];
      for await (const page of bed.server.pages({ base, filter, attributes: ['cn'] })) {
        pages.push(namesOf(page));
        expect(page.every(({ attributes: { size } }) => size === 1)).toBe(true);
        const changes = [{ operation: 'replace' as const, attribute: 'description', values: ['seen'] }];
        if (!bed.traits.readOnly) await bed.admin.modify(Dn.parse(page[0]?.dn ?? ''), changes);
      }
      expect(pages.flat().sort()).toEqual([...people].sort());
      expect(pages.length).toBeGreaterThan(1);
    });

    it('are none where nothing matches, and refuse a base that does not exist', async () => {
      const found = async (below: Dn, wanted: typeof filter) => {
        const entries: Entry[] = [];
        for await (const page of bed.server.pages({ base: below, filter: wanted })) entries.push(...page);
        return entries;
      };
      expect(await found(base, equal('cn', 'nobody at all'))).toEqual([]);
      const missing = base.child([{ type: 'ou', value: 'missing' }]);
      expect(await reasonOf(found(missing, filter))).toBe('not_found');
    });

    it('may be left in the middle', async () => {
      for await (const page of bed.server.pages({ base, filter })) {
        expect(page.length).toBeGreaterThan(0);
        break;
      }
      expect(await bed.server.service.read(base, [])).toBeDefined();
    });
  });
}

function describeSelection(bed: TestBed): void {
  describe('attributes', () => {
    let dn: Dn;
    beforeAll(async () => {
      dn = await bed.person(await bed.container(), 'Selected', {
        mail: ['s@example.org'],
        webadmsettings: ['A=1', 'B=2'],
      });
    });

    it('gives all user attributes if none is named, under names in lower case', async () => {
      const { attributes: all } = await bed.entry(dn);
      expect(all.get('mail')).toEqual(['s@example.org']);
      expect([...(all.get('webadmsettings') ?? [])].sort()).toEqual(['A=1', 'B=2']);
      expect((all.get('objectclass') ?? []).map((c) => String(c).toLowerCase())).toContain('inetorgperson');
      expect([...all.keys()]).toEqual([...all.keys()].map((name) => name.toLowerCase()));
    });

    it('gives only those that are named, in whatever case', async () => {
      const { attributes: some } = await bed.entry(dn, ['MAIL', 'Sn']);
      expect([...some.keys()].sort()).toEqual(['mail', 'sn']);
    });

    it('leaves absent attributes out', async () => {
      const { attributes: some } = await bed.entry(dn, ['mail', 'mobile']);
      expect([...some.keys()]).toEqual(['mail']);
    });

    it('gives an entry without attributes for an empty list', async () => {
      expect((await bed.entry(dn, [])).attributes.size).toBe(0);
    });

    it('lists an entry that has none of the attributes', async () => {
      const base = dn.parent ?? Dn.root;
      const entries = await bed.admin.search({
        base,
        scope: 'one',
        filter: matchAll,
        attributes: ['mobile'],
      });
      expect(entries).toHaveLength(1);
      expect(entries[0]?.attributes.size).toBe(0);
      expect(Dn.parse(entries[0]?.dn ?? '').key).toBe(dn.key);
    });

    it('gives operational attributes by name only', async () => {
      const { identifier } = await bed.server.capabilities(dn);
      expect((await bed.entry(dn, [identifier])).attributes.get(identifier)).toHaveLength(1);
      const named = await bed.entry(dn, ['createTimestamp', 'mail']);
      expect([...named.attributes.keys()].sort()).toEqual(['createtimestamp', 'mail']);
      expect((await bed.entry(dn)).attributes.has('createtimestamp')).toBe(false);
    });

    it('reads nothing where nothing is', async () => {
      expect(await bed.admin.read(dn.child([{ type: 'cn', value: 'missing' }]))).toBeUndefined();
    });
  });
}

function describeBinaryValues(bed: TestBed): void {
  describe('binary values', () => {
    const allBytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    const text = new TextEncoder().encode('all of it is text');

    it('gives bytes as they came', async () => {
      const base = await bed.container();
      const dn = await bed.person(base, 'bytes', { webadmdata: [allBytes], webadmvoice: [text] });
      const { attributes: got } = await bed.entry(dn, ['webadmData', 'webadmVoice']);
      expect(Buffer.from(got.get('webadmdata')?.[0] ?? '')).toEqual(Buffer.from(allBytes));
      expect(got.get('webadmvoice')?.[0]).toBeInstanceOf(Uint8Array);
      expect(Buffer.from(got.get('webadmvoice')?.[0] ?? '')).toEqual(Buffer.from(text));
    });

    it('finds an entry by bytes', async () => {
      const base = await bed.container();
      await bed.person(base, 'other bytes', { webadmdata: [allBytes.slice(1)] });
      await bed.person(base, 'these bytes', { webadmdata: [allBytes] });
      const filter = equal('webadmData', allBytes);
      const found = await bed.admin.search({ base, scope: 'sub', filter, attributes: ['cn'] });
      expect(namesOf(found)).toEqual(['these bytes']);
    });

    if (!bed.traits.readOnly) {
      it('keeps certificates under their plain name', async () => {
        const dn = await bed.person(await bed.container(), 'certified');
        const change = { attribute: 'userCertificate', values: [certificate] };
        await bed.admin.modify(dn, [{ operation: 'add', ...change }]);
        const { attributes: got } = await bed.entry(dn, ['usercertificate']);
        expect([...got.keys()]).toEqual(['usercertificate']);
        expect(Buffer.from(got.get('usercertificate')?.[0] ?? '')).toEqual(Buffer.from(certificate));
        expect((await bed.entry(dn)).attributes.has('usercertificate')).toBe(true);
        await bed.admin.modify(dn, [{ operation: 'delete', ...change }]);
        expect((await bed.entry(dn)).attributes.has('usercertificate')).toBe(false);
      });
    }

    it('takes a certificate in an add, and finds those who have one', async () => {
      const base = await bed.container();
      await bed.add(
        base.child([{ type: 'cn', value: 'holder' }]),
        attributes({ objectclass: ['inetOrgPerson'], sn: ['x'], usercertificate: [certificate] }),
      );
      await bed.person(base, 'plain');
      const filter = parseFilter('(userCertificate=*)');
      expect(namesOf(await bed.admin.search({ base, scope: 'one', filter, attributes: ['cn'] }))).toEqual([
        'holder',
      ]);
    });
  });
}
