/** Contract: revisions change with the entry; capabilities and probe tell the truth. */
import { describe, expect, it } from 'vitest';
import { Dn } from '../../../foundation/text/dn.ts';
import { goodPassword, otherPassword, type TestBed } from './test-bed.ts';

export function describeRevisions(bed: TestBed): void {
  describe('revisions', () => {
    it('change with every change of the entry, and do not with a read', async () => {
      const dn = await bed.person(await bed.container(), 'revised', { userpassword: [goodPassword] });
      const seen = [await bed.server.revision(dn)];
      expect(seen[0]).toBeTypeOf('string');
      await bed.admin.read(dn);
      expect(await bed.server.revision(dn)).toBe(seen[0]);

      await bed.admin.modify(dn, [{ operation: 'replace', attribute: 'sn', values: ['Changed'] }]);
      seen.push(await bed.server.revision(dn));
      await bed.admin.modify(dn, [{ operation: 'add', attribute: 'webadmsettings', values: ['A=1'] }]);
      seen.push(await bed.server.revision(dn));
      await bed.admin.setPassword(dn, otherPassword, { mustChange: false });
      seen.push(await bed.server.revision(dn));
      expect(new Set(seen).size).toBe(4);
    });

    it('do not exist where there is no entry', async () => {
      const dn = (await bed.container()).child([{ type: 'cn', value: 'missing' }]);
      expect(await bed.server.revision(dn)).toBeUndefined();
    });

    const { lockAfter } = bed.traits;
    if (lockAfter !== undefined) {
      it('change when an account is locked', async () => {
        const dn = await bed.person(await bed.container(), 'locked', { userpassword: [goodPassword] });
        const before = await bed.server.revision(dn);
        for (let n = 0; n < lockAfter; n += 1) await bed.server.authenticate(dn, otherPassword);
        expect(await bed.server.revision(dn)).not.toBe(before);
      });
    }
  });

  describe('the right to write', () => {
    // The last one is judged as the description is.
    it.each(['webadmData', 'userCertificate', 'noSuchAttribute'])(
      'is judged, and nothing changes: %s',
      async (attribute) => {
        const dn = await bed.person(await bed.container(), 'judged');
        const [before, entry] = [await bed.server.revision(dn), await bed.entry(dn)];
        await expect(bed.admin.assertWritable(dn, attribute)).resolves.toBeUndefined();
        const judged = bed.reader.assertWritable(dn, attribute);
        await expect(judged).rejects.toMatchObject({ reason: 'permission_denied' });
        expect([await bed.server.revision(dn), await bed.entry(dn)]).toEqual([before, entry]);
      },
    );

    it('is not that of the person itself', async () => {
      const dn = await bed.person(await bed.container(), 'judged', { userpassword: [goodPassword] });
      const bound = await bed.server.bind(dn, goodPassword);
      if (!bound.granted) throw bound.refusal;
      const judged = bound.directory.assertWritable(dn, 'webadmData');
      await expect(judged).rejects.toMatchObject({ reason: 'permission_denied' });
      await bound.directory.close();
    });

    it("is nobody's where there is no entry", async () => {
      const dn = (await bed.container()).child([{ type: 'cn', value: 'missing' }]);
      const judged = bed.admin.assertWritable(dn, 'usercertificate');
      await expect(judged).rejects.toMatchObject({ reason: 'not_found' });
    });
  });
}

export function describeCapabilities(bed: TestBed): void {
  describe('capabilities', () => {
    it('know the schema and the identifier, before and after the caches are cleared', async () => {
      const before = await bed.server.capabilities(Dn.root);
      if (!bed.traits.readOnly) expect(before.accountSchema).toBe(true);
      bed.server.clearCaches();
      expect(await bed.server.capabilities(Dn.root)).toEqual(before);
      await bed.server.probe();
    });

    it('tell where entries begin', async () => {
      const { base } = await bed.server.capabilities(await bed.container());
      expect((await bed.container()).isWithin(base)).toBe(true);
      expect(await bed.server.service.read(base, [])).toBeDefined();
    });
  });
}
