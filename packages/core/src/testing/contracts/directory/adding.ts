/** Contract: adding and removing entries. */
import { describe, expect, it } from 'vitest';
import { attributes, type Ground, person, reasonOf } from './ground.ts';

export function describeAdding(ground: Ground): void {
  describe('adding', () => {
    it('adds what it is given', async () => {
      const dn = await ground.person(await ground.container(), 'new one', { mail: ['n@example.org'] });
      expect(await ground.values(dn, 'mail')).toEqual(['n@example.org']);
    });

    it('adds the value of the RDN where it is left out, once', async () => {
      const container = await ground.container();
      const without = await ground.person(container, 'left out');
      const spelled = container.child([{ type: 'CN', value: 'Given' }]);
      await ground.admin.add(spelled, person({ cn: ['given'] }));
      expect(await ground.values(without, 'cn')).toEqual(['left out']);
      expect(await ground.values(spelled, 'cn')).toHaveLength(1);
    });

    it('leaves attributes without values out', async () => {
      const dn = await ground.person(await ground.container(), 'sparse', { mail: [] });
      expect(await ground.values(dn, 'mail')).toEqual([]);
    });

    it('refuses an entry that exists', async () => {
      const container = await ground.container();
      await ground.person(container, 'twice');
      expect(await reasonOf(ground.person(container, 'TWICE'))).toBe('already_exists');
    });

    it('refuses an entry whose parent does not exist', async () => {
      const missing = (await ground.container()).child([{ type: 'ou', value: 'missing' }]);
      expect(await reasonOf(ground.person(missing, 'orphan'))).toBe('not_found');
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
      const dn = (await ground.container()).child([{ type: 'cn', value: 'refused' }]);
      expect(await reasonOf(ground.admin.add(dn, attributes(given)))).toBe('schema_refused');
      expect(await ground.admin.read(dn)).toBeUndefined();
    });

    it('is not for one who may only read', async () => {
      const dn = (await ground.container()).child([{ type: 'cn', value: 'forbidden' }]);
      expect(await reasonOf(ground.reader.add(dn, person()))).toBe('permission_denied');
      expect(await ground.reader.read(dn)).toBeUndefined();
    });
  });

  describe('removing', () => {
    it('removes a leaf', async () => {
      const dn = await ground.person(await ground.container(), 'leaf');
      await ground.admin.remove(dn);
      expect(await ground.admin.read(dn)).toBeUndefined();
    });

    it('refuses what is not there', async () => {
      const dn = (await ground.container()).child([{ type: 'cn', value: 'missing' }]);
      expect(await reasonOf(ground.admin.remove(dn))).toBe('not_found');
    });

    it('refuses an entry that others stand below', async () => {
      const container = await ground.container();
      const dn = await ground.person(container, 'child');
      expect(await reasonOf(ground.admin.remove(container))).toBe('schema_refused');
      expect(await ground.admin.read(dn, [])).toBeDefined();
    });

    it('is not for one who may only read', async () => {
      const dn = await ground.person(await ground.container(), 'kept');
      expect(await reasonOf(ground.reader.remove(dn))).toBe('permission_denied');
      expect(await ground.admin.read(dn, [])).toBeDefined();
    });
  });
}

const activated = { objectclass: ['inetOrgPerson', 'webadmAccount'], sn: ['x'] };
