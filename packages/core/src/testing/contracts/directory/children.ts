/** Contract: children page by page, and the schema. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dn } from '../../../foundation/text/dn.ts';
import { matchAll, startsWith } from '../../../foundation/text/filter.ts';
import type { ChildrenPage, ChildrenRequest } from '../../../ports/directory/directory.ts';
import { namesOf, reasonOf, type TestBed } from './test-bed.ts';

export function describeChildren(bed: TestBed): void {
  describe('children', () => {
    const names = Array.from({ length: 23 }, (_, index) => `child ${String(index).padStart(2, '0')}`);
    let base: Dn;
    const usual = (): ChildrenRequest => ({ base, filter: matchAll, attributes: ['cn'], limit: 5 });
    beforeAll(async () => {
      base = await bed.container();
      for (const name of names) await bed.person(base, name);
      await bed.person(await bed.container(base), 'grandchild');
    });

    const walk = async (request: ChildrenRequest, each?: (page: ChildrenPage) => unknown) => {
      const found: string[] = [];
      for (let after: string | undefined, pages = 0; pages < 100; pages += 1) {
        const page: ChildrenPage = await bed.admin.children({ ...request, after });
        await each?.(page);
        found.push(...namesOf(page.entries));
        after = page.next;
        if (after === undefined) return found.sort();
      }
      throw new Error('the pages do not come to an end');
    };

    it('gives each of them once, in pages of the size that was asked for, and nothing from deeper', async () => {
      const sizes: number[] = [];
      const found = await walk(usual(), ({ entries }) => sizes.push(entries.length));
      expect(found).toEqual([...names, 'undefined']);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
    });

    it('gives all at once where the limit lets it', async () => {
      const { entries, next } = await bed.admin.children({ ...usual(), limit: 100 });
      expect([entries.length, next]).toEqual([names.length + 1, undefined]);
    });

    it('gives those that match a filter, with the attributes that were asked for', async () => {
      const filter = startsWith('cn', 'child 1');
      expect(await walk({ ...usual(), filter, limit: 3 })).toEqual(names.slice(10, 20));
      const { entries } = await bed.admin.children({ ...usual(), filter, limit: 100 });
      expect([...new Set(entries.flatMap(({ attributes }) => [...attributes.keys()]))]).toEqual(['cn']);
    });

    if (!bed.traits.readOnly) {
      it('goes on where it was while others come and go', async () => {
        let round = 0;
        const found = await walk({ ...usual(), limit: 4 }, async () => {
          round += 1;
          await bed.person(base, `newcomer ${round}`);
          if (round > 1) await bed.admin.remove(base.child([{ type: 'cn', value: `newcomer ${round - 1}` }]));
        });
        expect(found.filter((name) => name.startsWith('child'))).toEqual(names);
      });
    }

    it('refuses a base that is not there, and an end of no page', async () => {
      const missing = base.child([{ type: 'ou', value: 'missing' }]);
      expect(await reasonOf(bed.admin.children({ ...usual(), base: missing }))).toBe('not_found');
      for (const after of ['', '!', 'no page', 'A'.repeat(5000)])
        expect(await reasonOf(bed.admin.children({ ...usual(), after }))).toBe('invalid_params');
    });
  });

  describe('schema', () => {
    it('tells what a person is made of, in the notation of RFC 4512', async () => {
      const { objectClasses, attributeTypes } = await bed.server.schema(bed.fixture.base);
      const person = objectClasses.find((one) => /NAME \(? ?'person'/i.test(one));
      expect(person).toMatch(/MUST \(? ?.*\bcn\b/);
      expect(attributeTypes.some((one) => /NAME \(? ?'telephoneNumber'/.test(one))).toBe(true);
    });
  });
}
