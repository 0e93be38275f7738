/** Contract: adding and removing entries. */
import { describe, expect, it } from 'vitest';
import { attributes, person, reasonOf, type TestBed } from './test-bed.ts';

export function describeAdding(bed: TestBed): void {
  describe('adding', () => {
    it('adds what it is given', async () => {
      const dn = await bed.person(await bed.container(), 'new one', { mail: ['n@example.org'] });
      expect(await bed.values(dn, 'mail')).toEqual(['n@example.org']);
    });

    it('adds the value of the RDN where it is left out, once', async () => {
      const container = await bed.container();
      const without = await bed.person(container, 'left out');
      const spelled = container.child([{ type: 'CN', value: 'Given' }]);
      await bed.admin.add(spelled, person({ cn: ['given'] }));
      expect(await bed.values(without, 'cn')).toEqual(['left out']);
      expect(await bed.values(spelled, 'cn')).toHaveLength(1);
    });

    it('leaves attributes without values out', async () => {
      const dn = await bed.person(await bed.container(), 'sparse', { mail: [] });
      expect(await bed.values(dn, 'mail')).toEqual([]);
    });

    it('refuses an entry that exists', async () => {
      const container = await bed.container();
      await bed.person(container, 'twice');
      expect(await reasonOf(bed.person(container, 'TWICE'))).toBe('already_exists');
    });

    it('refuses an entry whose parent does not exist', async () => {
      const missing = (await bed.container()).child([{ type: 'ou', value: 'missing' }]);
      expect(await reasonOf(bed.person(missing, 'orphan'))).toBe('not_found');
    });

    it.each([
      ['a required attribute that is missing', { objectclass: ['ipService'] }],
      ['an attribute that no class allows', { objectclass: ['inetOrgPerson'], sn: ['x'], webadmdata: ['x'] }],
      ['a class that there is none of', { objectclass: ['noSuchClassHere'], sn: ['x'] }],
      [
        'an attribute that there is none of',
        { objectclass: ['inetOrgPerson'], sn: ['x'], nosuchattributehere: ['x'] },
      ],
      ['two values of a single-valued attribute', { ...activated, webadmtype: ['a', 'b'] }],
      ['no class at all', { sn: ['x'] }],
    ])('refuses %s', async (_, given) => {
      const dn = (await bed.container()).child([{ type: 'cn', value: 'refused' }]);
      expect(await reasonOf(bed.admin.add(dn, attributes(given)))).toBe('schema_refused');
      expect(await bed.admin.read(dn)).toBeUndefined();
    });

    it('is not for one who may only read', async () => {
      const dn = (await bed.container()).child([{ type: 'cn', value: 'forbidden' }]);
      expect(await reasonOf(bed.reader.add(dn, person()))).toBe('permission_denied');
      expect(await bed.reader.read(dn)).toBeUndefined();
    });
  });

  describe('removing', () => {
    it('removes a leaf', async () => {
      const dn = await bed.person(await bed.container(), 'leaf');
      await bed.admin.remove(dn);
      expect(await bed.admin.read(dn)).toBeUndefined();
    });

    it('refuses what is not there', async () => {
      const dn = (await bed.container()).child([{ type: 'cn', value: 'missing' }]);
      expect(await reasonOf(bed.admin.remove(dn))).toBe('not_found');
    });

    it('refuses an entry that others stand below', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'child');
      expect(await reasonOf(bed.admin.remove(container))).toBe('schema_refused');
      expect(await bed.admin.read(dn, [])).toBeDefined();
    });

    it('is not for one who may only read', async () => {
      const dn = await bed.person(await bed.container(), 'kept');
      expect(await reasonOf(bed.reader.remove(dn))).toBe('permission_denied');
      expect(await bed.admin.read(dn, [])).toBeDefined();
    });
  });
}

const activated = { objectclass: ['inetOrgPerson', 'webadmAccount'], sn: ['x'] };
