/** Contract: `member` and `memberOf` are two sides of one thing. */
import { describe, expect, it } from 'vitest';
import { Dn } from '../../../foundation/text/dn.ts';
import { attributes, type TestBed } from './test-bed.ts';

export function describeGroups(bed: TestBed): void {
  const keys = async (dn: Dn, attribute: string): Promise<string[]> =>
    (await bed.values(dn, attribute)).map((value) => Dn.parse(value).key).sort();
  const group = async (container: Dn, name: string, ...members: Dn[]): Promise<Dn> => {
    const dn = container.child([{ type: 'cn', value: name }]);
    await bed.add(dn, attributes({ objectclass: [bed.traits.groupClass], member: members.map(String) }));
    return dn;
  };
  const change = (dn: Dn, operation: 'add' | 'delete', member: Dn): Promise<void> =>
    bed.admin.modify(dn, [{ operation, attribute: 'member', values: [member.toString()] }]);

  describe('groups', () => {
    it('show at their members from the beginning', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'member');
      const one = await group(container, 'one', dn);
      const two = await group(container, 'two', dn);
      expect(await keys(dn, 'memberof')).toEqual([one.key, two.key].sort());
    });

    if (bed.traits.readOnly) return;

    it('show at members that come, and no more at those that go', async () => {
      const container = await bed.container();
      const [stays, comes] = [await bed.person(container, 'stays'), await bed.person(container, 'comes')];
      const dn = await group(container, 'group', stays);
      expect(await keys(comes, 'memberof')).toEqual([]);
      await change(dn, 'add', comes);
      expect(await keys(comes, 'memberof')).toEqual([dn.key]);
      await change(dn, 'delete', comes);
      expect(await keys(comes, 'memberof')).toEqual([]);
      expect(await keys(dn, 'member')).toEqual([stays.key]);
    });

    it('follow a member that is renamed or moved', async () => {
      const [container, elsewhere] = [await bed.container(), await bed.container()];
      const [stays, goes] = [await bed.person(container, 'stays'), await bed.person(container, 'goes')];
      const dn = await group(container, 'group', stays, goes);
      await bed.admin.rename(goes, { rdn: [{ type: 'cn', value: 'gone' }], parent: elsewhere });
      const gone = elsewhere.child([{ type: 'cn', value: 'gone' }]);
      expect(await keys(dn, 'member')).toEqual([stays.key, gone.key].sort());
      expect(await keys(gone, 'memberof')).toEqual([dn.key]);
    });

    it('forget a member that is removed', async () => {
      const container = await bed.container();
      const [stays, goes] = [await bed.person(container, 'stays'), await bed.person(container, 'goes')];
      const dn = await group(container, 'group', stays, goes);
      await bed.admin.remove(goes);
      expect(await keys(dn, 'member')).toEqual([stays.key]);
    });

    it('are forgotten by their members when they are removed, and follow when renamed', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'member');
      const renamed = await group(container, 'renamed', dn);
      const removed = await group(container, 'removed', dn);
      await bed.admin.rename(renamed, { rdn: [{ type: 'cn', value: 'new name' }] });
      await bed.admin.remove(removed);
      expect(await keys(dn, 'memberof')).toEqual([container.child([{ type: 'cn', value: 'new name' }]).key]);
    });
  });
}
