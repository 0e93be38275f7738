/** Contract: revisions change with the entry; capabilities and probe tell the truth. */
import { describe, expect, it } from 'vitest';
import { Dn } from '../../../text/dn.ts';
import { type Ground, goodPassword, otherPassword } from './ground.ts';

export function describeRevisions(ground: Ground): void {
  describe('revisions', () => {
    it('change with every change of the entry, and do not with a read', async () => {
      const dn = await ground.person(await ground.container(), 'revised', { userpassword: [goodPassword] });
      const seen = [await ground.server.revision(dn)];
      expect(seen[0]).toBeTypeOf('string');
      await ground.admin.read(dn);
      expect(await ground.server.revision(dn)).toBe(seen[0]);

      await ground.admin.modify(dn, [{ operation: 'replace', attribute: 'sn', values: ['Changed'] }]);
      seen.push(await ground.server.revision(dn));
      await ground.admin.modify(dn, [{ operation: 'add', attribute: 'webadmsettings', values: ['A=1'] }]);
      seen.push(await ground.server.revision(dn));
      await ground.admin.setPassword(dn, otherPassword, { mustChange: false });
      seen.push(await ground.server.revision(dn));
      expect(new Set(seen).size).toBe(4);
    });

    it('do not exist where there is no entry', async () => {
      const dn = (await ground.container()).child([{ type: 'cn', value: 'missing' }]);
      expect(await ground.server.revision(dn)).toBeUndefined();
    });

    const { lockAfter } = ground.traits;
    if (lockAfter !== undefined) {
      it('change when an account is locked', async () => {
        const dn = await ground.person(await ground.container(), 'locked', { userpassword: [goodPassword] });
        const before = await ground.server.revision(dn);
        for (let n = 0; n < lockAfter; n += 1) await ground.server.authenticate(dn, otherPassword);
        expect(await ground.server.revision(dn)).not.toBe(before);
      });
    }
  });

  describe('the right to write', () => {
    // The last one is judged as the description is.
    it.each(['webadmData', 'userCertificate', 'noSuchAttribute'])(
      'is judged, and nothing changes: %s',
      async (attribute) => {
        const dn = await ground.person(await ground.container(), 'judged');
        const [before, entry] = [await ground.server.revision(dn), await ground.entry(dn)];
        await expect(ground.admin.assertWritable(dn, attribute)).resolves.toBeUndefined();
        const judged = ground.reader.assertWritable(dn, attribute);
        await expect(judged).rejects.toMatchObject({ reason: 'permission_denied' });
        expect([await ground.server.revision(dn), await ground.entry(dn)]).toEqual([before, entry]);
      },
    );

    it('is not that of the person itself', async () => {
      const dn = await ground.person(await ground.container(), 'judged', { userpassword: [goodPassword] });
      const bound = await ground.server.bind(dn, goodPassword);
      if (!bound.granted) throw bound.refusal;
      const judged = bound.directory.assertWritable(dn, 'webadmData');
      await expect(judged).rejects.toMatchObject({ reason: 'permission_denied' });
      await bound.directory.close();
    });

    it("is nobody's where there is no entry", async () => {
      const dn = (await ground.container()).child([{ type: 'cn', value: 'missing' }]);
      const judged = ground.admin.assertWritable(dn, 'usercertificate');
      await expect(judged).rejects.toMatchObject({ reason: 'not_found' });
    });
  });

  describe('capabilities', () => {
    it('know the schema and the identifier, before and after the caches are cleared', async () => {
      const before = await ground.server.capabilities(Dn.root);
      expect(before.accountSchema).toBe(true);
      ground.server.clearCaches();
      expect(await ground.server.capabilities(Dn.root)).toEqual(before);
      await ground.server.probe();
    });
  });
}
