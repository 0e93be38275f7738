/** Contract of a read-only directory: every write is refused, to everybody, and changes nothing; revisions hold still. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Dn, Rdn } from '../../../foundation/text/dn.ts';
import type { Directory } from '../../../ports/directory/directory.ts';
import { goodPassword, otherPassword, person, reasonOf, type TestBed } from './test-bed.ts';

const cn = (value: string): Rdn => [{ type: 'cn', value }];

export function describeRefusedWrites(bed: TestBed): void {
  describe('read-only', () => {
    let container: Dn;
    let dn: Dn;
    beforeAll(async () => {
      container = await bed.container();
      dn = await bed.person(container, 'kept', { userpassword: [goodPassword] });
      bed.server.setWriters([bed.fixture.admin.dn]);
    });
    const writes: readonly [string, (directory: Directory) => Promise<void>][] = [
      ['add', (directory) => directory.add(container.child(cn('new')), person())],
      [
        'modify',
        (directory) => directory.modify(dn, [{ operation: 'replace', attribute: 'sn', values: ['x'] }]),
      ],
      ['rename', (directory) => directory.rename(dn, { rdn: cn('renamed') })],
      ['remove', (directory) => directory.remove(dn)],
      ['setPassword', (directory) => directory.setPassword(dn, otherPassword, { mustChange: false })],
      ['assertWritable', (directory) => directory.assertWritable(dn, 'description')],
    ];

    it.each(writes)('refuses %s with permission_denied, and changes nothing', async (_, write) => {
      const seen = async () => [await bed.entry(dn), await bed.server.revision(dn)];
      const before = await seen();
      for (const directory of [bed.admin, bed.reader, bed.server.service])
        expect(await reasonOf(write(directory))).toBe('permission_denied');
      expect(await seen()).toEqual(before);
      expect(await bed.admin.read(container.child(cn('new')), [])).toBeUndefined();
    });

    it('refuses a user another password after the old one was right', async () => {
      const change = (old: string) => bed.server.changePassword(dn, { old, wanted: 'An0ther-Horse.43' });
      expect(await change(otherPassword)).toBe('wrong_password');
      expect(await change('')).toBe('wrong_password');
      expect(await reasonOf(change(goodPassword))).toBe('permission_denied');
      expect(await bed.server.authenticate(dn, goodPassword)).toEqual({ granted: true, mustChange: false });
    });

    it('has a revision of each entry, which a read does not change', async () => {
      const before = await bed.server.revision(dn);
      expect(before).toBeTypeOf('string');
      await bed.admin.read(dn);
      expect(await bed.server.revision(dn)).toBe(before);
      expect(await bed.server.revision(container.child(cn('missing')))).toBeUndefined();
    });

    it('changes a revision with the entry that its operator changes', async () => {
      const changed = await bed.person(container, 'changed', { sn: ['Before'] });
      const before = await bed.server.revision(changed);
      await bed.person(container, 'changed', { sn: ['After'] });
      expect(await bed.server.revision(changed)).not.toBe(before);
      expect(await bed.values(changed, 'sn')).toEqual(['After']);
    });

    it.each(['Müller, Éva', 'back\\slash', ' leads', 'Ирина 山田 😀'])('finds the name %s', async (name) => {
      const named = await bed.person(container, name);
      expect((await bed.entry(named, [])).dn.toLowerCase()).toBe(named.format().toLowerCase());
    });
  });
}
