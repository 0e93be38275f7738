/** Contract: passwords that come in an add, in a modify or by `setPassword`. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Dn } from '../../../foundation/text/dn.ts';
import { goodPassword, otherPassword, person, reasonOf, type TestBed } from './test-bed.ts';

export function describePasswords(bed: TestBed): void {
  const logsIn = async (dn: Dn, password: string): Promise<boolean> =>
    (await bed.server.authenticate(dn, password)).granted;
  const replace = (dn: Dn, ...values: string[]): Promise<void> =>
    bed.admin.modify(dn, [{ operation: 'replace', attribute: 'userPassword', values }]);

  describe('passwords', () => {
    it('in an add log in and are stored in no readable form', async () => {
      const dn = await bed.person(await bed.container(), 'added', { userpassword: [goodPassword] });
      expect(await logsIn(dn, goodPassword)).toBe(true);
      expect(await logsIn(dn, otherPassword)).toBe(false);
      await expectUnreadable(bed, dn, goodPassword);
    });

    it('in a modify log in and are stored in no readable form', async () => {
      const dn = await bed.person(await bed.container(), 'modified', { userpassword: [goodPassword] });
      await replace(dn, otherPassword);
      expect(await logsIn(dn, goodPassword)).toBe(false);
      expect(await logsIn(dn, otherPassword)).toBe(true);
      await expectUnreadable(bed, dn, otherPassword);
    });

    it('go into an entry together with other changes', async () => {
      const dn = await bed.person(await bed.container(), 'mixed', { userpassword: [goodPassword] });
      await bed.admin.modify(dn, [
        { operation: 'replace', attribute: 'sn', values: ['Changed'] },
        { operation: 'replace', attribute: 'userpassword', values: [otherPassword] },
      ]);
      expect(await bed.values(dn, 'sn')).toEqual(['Changed']);
      expect(await logsIn(dn, otherPassword)).toBe(true);
    });

    it('are not changed if another change of the same modify is refused', async () => {
      const dn = await bed.person(await bed.container(), 'refused', { userpassword: [goodPassword] });
      const changes = bed.admin.modify(dn, [
        { operation: 'replace', attribute: 'userPassword', values: [otherPassword] },
        { operation: 'delete', attribute: 'mobile', values: [] },
      ]);
      expect(await reasonOf(changes)).toBe('value_missing');
      expect(await logsIn(dn, goodPassword)).toBe(true);
    });

    it('are changed by whoever knows the old one', async () => {
      const dn = await bed.person(await bed.container(), 'changed', { userpassword: [goodPassword] });
      const wanted = 'Zürich, 山田 "x" \\ 8';
      expect(await bed.server.changePassword(dn, { old: otherPassword, wanted })).toBe('wrong_password');
      expect(await bed.server.changePassword(dn, { old: '', wanted })).toBe('wrong_password');
      expect(await logsIn(dn, goodPassword)).toBe(true);
      expect(await bed.server.changePassword(dn, { old: goodPassword, wanted })).toBe(undefined);
      expect([await logsIn(dn, wanted), await logsIn(dn, goodPassword)]).toEqual([true, false]);
      await expectUnreadable(bed, dn, wanted);
      const nobody = dn.parent?.child([{ type: 'uid', value: 'nobody' }]) ?? dn;
      expect(await bed.server.changePassword(nobody, { old: goodPassword, wanted })).toBe('wrong_password');
    });

    it('are set by an administrator', async () => {
      const dn = await bed.person(await bed.container(), 'set');
      await bed.admin.setPassword(dn, goodPassword, { mustChange: false });
      expect(await bed.server.authenticate(dn, goodPassword)).toEqual({
        granted: true,
        mustChange: false,
      });
      await bed.admin.setPassword(dn, 'Zürich, 山田 "x" \\ 7', { mustChange: false });
      expect(await logsIn(dn, 'Zürich, 山田 "x" \\ 7')).toBe(true);
      expect(await logsIn(dn, goodPassword)).toBe(false);
    });

    it('are not set where nobody is, nor by one who may only read', async () => {
      const dn = await bed.person(await bed.container(), 'guarded', { userpassword: [goodPassword] });
      const nobody = dn.child([{ type: 'cn', value: 'nobody' }]);
      const set = { mustChange: false };
      expect(await reasonOf(bed.admin.setPassword(nobody, otherPassword, set))).toBe('not_found');
      expect(await reasonOf(bed.reader.setPassword(dn, otherPassword, set))).toBe('permission_denied');
      expect(await logsIn(dn, goodPassword)).toBe(true);
    });

    it.each(['userPassword', 'unicodePwd'])(
      'are judged by %s as they would be set, and stay',
      async (name) => {
        const dn = await bed.person(await bed.container(), `judged-${name}`, {
          userpassword: [goodPassword],
        });
        await bed.admin.assertWritable(dn, name);
        expect(await reasonOf(bed.reader.assertWritable(dn, name))).toBe('permission_denied');
        const nobody = dn.child([{ type: 'cn', value: 'nobody' }]);
        expect(await reasonOf(bed.admin.assertWritable(nobody, name))).toBe('not_found');
        expect(await logsIn(dn, goodPassword)).toBe(true);
      },
    );

    describeByTraits(bed, { logsIn, replace });
  });
}

interface Actions {
  logsIn(dn: Dn, password: string): Promise<boolean>;
  replace(dn: Dn, ...values: string[]): Promise<void>;
}

function describeByTraits(bed: TestBed, { logsIn, replace }: Actions): void {
  const { hashedPasswords, mustChange, refusedPassword } = bed.traits;

  if (hashedPasswords) {
    it('that are hashed already are stored as they are', async () => {
      const dn = await bed.person(await bed.container(), 'hashed', {
        userpassword: [ssha(goodPassword)],
      });
      expect(await bed.values(dn, 'userpassword')).toEqual([ssha(goodPassword)]);
      expect(await logsIn(dn, goodPassword)).toBe(true);
      await replace(dn, ssha(otherPassword));
      expect(await logsIn(dn, otherPassword)).toBe(true);
    });
  }

  if (mustChange) {
    it('that have to be changed log in and say so, until they are changed', async () => {
      const dn = await bed.person(await bed.container(), 'must change');
      await bed.admin.setPassword(dn, goodPassword, { mustChange: true });
      expect(await bed.server.authenticate(dn, goodPassword)).toEqual({ granted: true, mustChange: true });
      const { mustChangeAttribute } = await bed.server.capabilities(dn);
      const entry = await bed.server.service.read(
        dn,
        mustChangeAttribute === undefined ? [] : [mustChangeAttribute],
      );
      expect(await bed.server.authenticate(dn, goodPassword, { entry })).toEqual({
        granted: true,
        mustChange: true,
      });
      expect(await logsIn(dn, otherPassword)).toBe(false);
      await bed.admin.setPassword(dn, otherPassword, { mustChange: false });
      expect(await bed.server.authenticate(dn, otherPassword)).toEqual({
        granted: true,
        mustChange: false,
      });
    });
  }

  if (mustChange) {
    it('that have to be changed are set whole or not at all', async () => {
      const dn = await bed.person(await bed.container(), 'whole', { userpassword: [goodPassword] });
      const change = { mustChange: true };
      expect(await reasonOf(bed.reader.setPassword(dn, otherPassword, change))).toBe('permission_denied');
      if (refusedPassword !== undefined)
        expect(await reasonOf(bed.admin.setPassword(dn, refusedPassword, change))).toBe('password_refused');
      expect(await bed.server.authenticate(dn, goodPassword)).toEqual({
        granted: true,
        mustChange: false,
      });
      const nobody = dn.child([{ type: 'cn', value: 'nobody' }]);
      expect(await reasonOf(bed.admin.setPassword(nobody, otherPassword, change))).toBe('not_found');
    });
  }

  if (refusedPassword !== undefined) {
    it('that the policy refuses change nothing', async () => {
      const container = await bed.container();
      const dn = await bed.person(container, 'kept', { userpassword: [goodPassword] });
      const change = { mustChange: false };
      expect(await reasonOf(bed.admin.setPassword(dn, refusedPassword, change))).toBe('password_refused');
      expect(await reasonOf(replace(dn, refusedPassword))).toBe('password_refused');
      expect(await logsIn(dn, goodPassword)).toBe(true);

      const refused = container.child([{ type: 'cn', value: 'refused' }]);
      const added = bed.admin.add(refused, person({ userpassword: [refusedPassword] }));
      expect(await reasonOf(added)).toBe('password_refused');
      expect(await bed.admin.read(refused, [])).toBeUndefined();
    });
  }
}

async function expectUnreadable(bed: TestBed, dn: Dn, password: string): Promise<void> {
  const stored = await bed.values(dn, 'userpassword');
  expect(stored.filter((value) => value.includes(password))).toEqual([]);
}

/** RFC 2307's `{SSHA}`: base64 of SHA-1(password ‖ salt) ‖ salt. */
function ssha(password: string): string {
  const salt = Buffer.from('salted!!');
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`;
}
