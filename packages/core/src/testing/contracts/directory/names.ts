/** Contract: renaming and moving, and names that need escaping, RFC 4514. */
import { describe, expect, it } from 'vitest';
import { Dn, type Rdn } from '../../../foundation/text/dn.ts';
import { matchAll } from '../../../foundation/text/filter.ts';
import { reasonOf, type TestBed } from './test-bed.ts';

const cn = (value: string): Rdn => [{ type: 'cn', value }];

const awkward: readonly [string, string][] = [
  ['a comma', 'Müller, Éva'],
  ['a plus', 'a+b'],
  ['quotes', 'the "best"'],
  ['a backslash', 'back\\slash'],
  ['a backslash before a comma', 'back\\,comma'],
  ['a backslash at the end', 'end\\'],
  ['a leading space', ' leads'],
  ['a leading number sign', '#1'],
  ['angle brackets, a semicolon, an equals sign', '<a;b=c>'],
  ['a slash and parentheses', 'a/b (c) *'],
  ['two spaces at the end', 'ends  '],
  ['a line break', 'two\nlines'],
  ['letters of other alphabets', 'Ирина 山田 😀'],
];

export function describeNames(bed: TestBed): void {
  describe('names', () => {
    it.each(awkward)('with %s are added, found, renamed, moved and removed', async (_, value) => {
      const [from, to] = [await bed.container(), await bed.container()];
      const first = await bed.person(from, value);
      const [found] = await bed.admin.search({
        base: from,
        scope: 'one',
        filter: matchAll,
        attributes: ['cn'],
      });
      expect(Dn.parse(found?.dn ?? '').equals(first)).toBe(true);
      expect(found?.dn.toLowerCase()).toBe(first.format().toLowerCase());
      expect(found?.attributes.get('cn')?.map((v) => String(v).trim())).toEqual([value.trim()]);

      await bed.admin.rename(first, { rdn: cn('in between') });
      await bed.admin.rename(from.child(cn('in between')), { rdn: cn(value), parent: to });
      const moved = to.child(cn(value));
      expect(await bed.admin.read(first, [])).toBeUndefined();
      expect(Dn.parse((await bed.entry(moved, [])).dn).equals(moved)).toBe(true);

      await bed.admin.remove(moved);
      expect(await bed.admin.read(moved, [])).toBeUndefined();
    });
  });

  describe('renaming and moving', () => {
    it('changes the naming value and drops the old one', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'before');
      await bed.admin.rename(dn, { rdn: cn('after') });
      expect(await bed.values(container.child(cn('after')), 'cn')).toEqual(['after']);
    });

    it('changes no more than the spelling', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'spelling');
      await bed.admin.rename(dn, { rdn: cn('Spelling') });
      expect((await bed.entry(dn, [])).dn).toMatch(/^cn=Spelling,/i);
      expect(await bed.values(dn, 'cn')).toEqual(['Spelling']);
    });

    it('moves a container with what stands below it', async () => {
      const [from, to] = [await bed.container(), await bed.container()];
      const container = await bed.container(from);
      await bed.person(container, 'passenger');
      await bed.admin.rename(container, { rdn: container.rdn, parent: to });
      expect(await bed.admin.read(to.child(container.rdn).child(cn('passenger')), [])).toBeDefined();
      expect(await bed.admin.read(container, [])).toBeUndefined();
    });

    it('refuses a name that is taken', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'one');
      await bed.person(container, 'two');
      expect(await reasonOf(bed.admin.rename(dn, { rdn: cn('Two') }))).toBe('already_exists');
    });

    it('refuses an entry and a parent that are not there', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'here');
      const missing = container.child([{ type: 'ou', value: 'missing' }]);
      expect(await reasonOf(bed.admin.rename(missing, { rdn: cn('x') }))).toBe('not_found');
      expect(await reasonOf(bed.admin.rename(dn, { rdn: dn.rdn, parent: missing }))).toBe('not_found');
      expect(await bed.admin.read(dn, [])).toBeDefined();
    });

    it('is not for one who may only read', async () => {
      const dn = await bed.person(await bed.container(), 'fixed');
      expect(await reasonOf(bed.reader.rename(dn, { rdn: cn('moved') }))).toBe('permission_denied');
    });
  });
}
