/** Contract: modifies: what each operation means, and that all changes happen or none. */
import { describe, expect, it } from 'vitest';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Change } from '../../../ports/directory/directory.ts';
import { reasonOf, type TestBed } from './test-bed.ts';

const change = (operation: Change['operation'], attribute: string, ...values: string[]): Change => ({
  operation,
  attribute,
  values,
});

export function describeModifying(bed: TestBed): void {
  const settled = async (...webadmsettings: string[]): Promise<Dn> =>
    bed.person(await bed.container(), 'modified', { webadmsettings });
  const settings = (dn: Dn): Promise<string[]> => bed.values(dn, 'webadmsettings');

  describe('modifying', () => {
    it('adds values to those that are there', async () => {
      const dn = await settled('A=1');
      await bed.admin.modify(dn, [change('add', 'webadmSettings', 'B=2', 'C=3')]);
      expect(await settings(dn)).toEqual(['A=1', 'B=2', 'C=3']);
    });

    it('adds an attribute that is not there', async () => {
      const dn = await settled();
      await bed.admin.modify(dn, [change('add', 'mobile', '+15550001')]);
      expect(await bed.values(dn, 'mobile')).toEqual(['+15550001']);
    });

    it('replaces all values', async () => {
      const dn = await settled('A=1', 'B=2');
      await bed.admin.modify(dn, [change('replace', 'webadmSettings', 'C=3')]);
      expect(await settings(dn)).toEqual(['C=3']);
    });

    it('replaces with nothing, there or not', async () => {
      const dn = await settled('A=1');
      await bed.admin.modify(dn, [change('replace', 'webadmSettings'), change('replace', 'mobile')]);
      expect(await settings(dn)).toEqual([]);
    });

    it('deletes the values given, or the whole attribute', async () => {
      const dn = await settled('A=1', 'B=2', 'C=3');
      await bed.admin.modify(dn, [change('delete', 'webadmSettings', 'B=2')]);
      expect(await settings(dn)).toEqual(['A=1', 'C=3']);
      await bed.admin.modify(dn, [change('delete', 'webadmSettings')]);
      expect(await settings(dn)).toEqual([]);
    });

    it('applies changes in their order', async () => {
      const dn = await settled('A=1');
      await bed.admin.modify(dn, [
        change('delete', 'webadmSettings', 'A=1'),
        change('add', 'webadmSettings', 'A=2'),
        change('add', 'webadmSettings', 'A=3'),
        change('delete', 'webadmSettings', 'A=2'),
      ]);
      expect(await settings(dn)).toEqual(['A=3']);
    });

    it('adds and takes away an auxiliary class', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'plain', { objectclass: ['inetOrgPerson'] });
      const classes = async (): Promise<string[]> =>
        (await bed.values(dn, 'objectclass')).map((name) => name.toLowerCase());
      await bed.admin.modify(dn, [change('add', 'objectClass', 'webadmAccount')]);
      expect(await classes()).toContain('webadmaccount');
      await bed.admin.modify(dn, [change('delete', 'objectClass', 'webadmAccount')]);
      expect(await classes()).not.toContain('webadmaccount');
    });
  });

  describe('modifies that are refused', () => {
    it('a value that is there already', async () => {
      const dn = await settled('A=1');
      expect(await reasonOf(bed.admin.modify(dn, [change('add', 'webadmSettings', 'A=1')]))).toBe(
        'value_exists',
      );
    });

    it.each([
      ['a value that is not there', change('delete', 'webadmSettings', 'Z=9')],
      ['an attribute that is not there', change('delete', 'mobile')],
    ])('deleting %s', async (_, given) => {
      expect(await reasonOf(bed.admin.modify(await settled('A=1'), [given]))).toBe('value_missing');
    });

    it.each([
      ['an attribute that there is none of', change('replace', 'noSuchAttributeHere', 'x')],
      ['a second value of a single-valued attribute', change('add', 'webadmType', 'a', 'b')],
      ['taking away the naming value', change('replace', 'cn', 'somebody else')],
      ['a class whose required attributes are missing', change('add', 'objectClass', 'groupOfNames')],
    ])('%s', async (_, given) => {
      expect(await reasonOf(bed.admin.modify(await settled(), [given]))).toBe('schema_refused');
    });

    if (bed.traits.surnameRequired) {
      it('taking away what a class requires', async () => {
        const without = bed.admin.modify(await settled(), [change('replace', 'sn')]);
        expect(await reasonOf(without)).toBe('schema_refused');
      });
    }

    it('an entry that is not there', async () => {
      const dn = (await bed.container()).child([{ type: 'cn', value: 'missing' }]);
      expect(await reasonOf(bed.admin.modify(dn, [change('replace', 'sn', 'x')]))).toBe('not_found');
    });

    it('change nothing at all', async () => {
      const dn = await settled('A=1');
      const changes = [change('replace', 'webadmSettings', 'B=2'), change('delete', 'mobile')];
      expect(await reasonOf(bed.admin.modify(dn, changes))).toBe('value_missing');
      expect(await settings(dn)).toEqual(['A=1']);
    });

    it('are not for one who may only read', async () => {
      const dn = await settled('A=1');
      const changes = [change('replace', 'webadmSettings', 'B=2')];
      expect(await reasonOf(bed.reader.modify(dn, changes))).toBe('permission_denied');
      expect(await settings(dn)).toEqual(['A=1']);
    });
  });
}
