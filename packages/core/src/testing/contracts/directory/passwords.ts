/** Contract: passwords that come in an add, in a modify or by `setPassword`. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Dn } from '../../../text/dn.ts';
import { type Ground, goodPassword, otherPassword, person, reasonOf } from './ground.ts';

export function describePasswords(ground: Ground): void {
  const logsIn = async (dn: Dn, password: string): Promise<boolean> =>
    (await ground.server.authenticate(dn, password)).granted;
  const replace = (dn: Dn, ...values: string[]): Promise<void> =>
    ground.admin.modify(dn, [{ operation: 'replace', attribute: 'userPassword', values }]);

  describe('passwords', () => {
    it('in an add log in and are stored in no readable form', async () => {
      const dn = await ground.person(await ground.container(), 'added', { userpassword: [goodPassword] });
      expect(await logsIn(dn, goodPassword)).toBe(true);
      expect(await logsIn(dn, otherPassword)).toBe(false);
      await expectUnreadable(ground, dn, goodPassword);
    });

    it('in a modify log in and are stored in no readable form', async () => {
      const dn = await ground.person(await ground.container(), 'modified', { userpassword: [goodPassword] });
      await replace(dn, otherPassword);
      expect(await logsIn(dn, goodPassword)).toBe(false);
      expect(await logsIn(dn, otherPassword)).toBe(true);
      await expectUnreadable(ground, dn, otherPassword);
    });

    it('go into an entry together with other changes', async () => {
      const dn = await ground.person(await ground.container(), 'mixed', { userpassword: [goodPassword] });
      await ground.admin.modify(dn, [
        { operation: 'replace', attribute: 'sn', values: ['Changed'] },
        { operation: 'replace', attribute: 'userpassword', values: [otherPassword] },
      ]);
      expect(await ground.values(dn, 'sn')).toEqual(['Changed']);
      expect(await logsIn(dn, otherPassword)).toBe(true);
    });

    it('are not changed if another change of the same modify is refused', async () => {
      const dn = await ground.person(await ground.container(), 'refused', { userpassword: [goodPassword] });
      const changes = ground.admin.modify(dn, [
        { operation: 'replace', attribute: 'userPassword', values: [otherPassword] },
        { operation: 'delete', attribute: 'mobile', values: [] },
      ]);
      expect(await reasonOf(changes)).toBe('value_missing');
      expect(await logsIn(dn, goodPassword)).toBe(true);
    });

    it('are set by an administrator', async () => {
      const dn = await ground.person(await ground.container(), 'set');
      await ground.admin.setPassword(dn, goodPassword, { mustChange: false });
      expect(await ground.server.authenticate(dn, goodPassword)).toEqual({
        granted: true,
        mustChange: false,
      });
      await ground.admin.setPassword(dn, 'Zürich, 山田 "x" \\ 7', { mustChange: false });
      expect(await logsIn(dn, 'Zürich, 山田 "x" \\ 7')).toBe(true);
      expect(await logsIn(dn, goodPassword)).toBe(false);
    });

    it('are not set where nobody is, nor by one who may only read', async () => {
      const dn = await ground.person(await ground.container(), 'guarded', { userpassword: [goodPassword] });
      const nobody = dn.child([{ type: 'cn', value: 'nobody' }]);
      const set = { mustChange: false };
      expect(await reasonOf(ground.admin.setPassword(nobody, otherPassword, set))).toBe('not_found');
      expect(await reasonOf(ground.reader.setPassword(dn, otherPassword, set))).toBe('permission_denied');
      expect(await logsIn(dn, goodPassword)).toBe(true);
    });

    describeByTraits(ground, { logsIn, replace });
  });
}

interface Actions {
  logsIn(dn: Dn, password: string): Promise<boolean>;
  replace(dn: Dn, ...values: string[]): Promise<void>;
}

function describeByTraits(ground: Ground, { logsIn, replace }: Actions): void {
  const { hashedPasswords, mustChange, refusedPassword } = ground.traits;

  if (hashedPasswords) {
    it('that are hashed already are stored as they are', async () => {
      const dn = await ground.person(await ground.container(), 'hashed', {
        userpassword: [ssha(goodPassword)],
      });
      expect(await ground.values(dn, 'userpassword')).toEqual([ssha(goodPassword)]);
      expect(await logsIn(dn, goodPassword)).toBe(true);
      await replace(dn, ssha(otherPassword));
      expect(await logsIn(dn, otherPassword)).toBe(true);
    });
  }

  if (mustChange) {
    it('that have to be changed log in and say so, until they are changed', async () => {
      const dn = await ground.person(await ground.container(), 'must change');
      await ground.admin.setPassword(dn, goodPassword, { mustChange: true });
      expect(await ground.server.authenticate(dn, goodPassword)).toEqual({ granted: true, mustChange: true });
      const { mark } = await ground.server.capabilities(dn);
      const entry = await ground.server.service.read(dn, mark === undefined ? [] : [mark]);
      expect(await ground.server.authenticate(dn, goodPassword, { entry })).toEqual({
        granted: true,
        mustChange: true,
      });
      expect(await logsIn(dn, otherPassword)).toBe(false);
      await ground.admin.setPassword(dn, otherPassword, { mustChange: false });
      expect(await ground.server.authenticate(dn, otherPassword)).toEqual({
        granted: true,
        mustChange: false,
      });
    });
  }

  if (mustChange) {
    it('that have to be changed are set whole or not at all', async () => {
      const dn = await ground.person(await ground.container(), 'whole', { userpassword: [goodPassword] });
      const change = { mustChange: true };
      expect(await reasonOf(ground.reader.setPassword(dn, otherPassword, change))).toBe('permission_denied');
      if (refusedPassword !== undefined)
        expect(await reasonOf(ground.admin.setPassword(dn, refusedPassword, change))).toBe(
          'password_refused',
        );
      expect(await ground.server.authenticate(dn, goodPassword)).toEqual({
        granted: true,
        mustChange: false,
      });
      const nobody = dn.child([{ type: 'cn', value: 'nobody' }]);
      expect(await reasonOf(ground.admin.setPassword(nobody, otherPassword, change))).toBe('not_found');
    });
  }

  if (refusedPassword !== undefined) {
    it('that the policy refuses change nothing', async () => {
      const container = await ground.container();
      const dn = await ground.person(container, 'kept', { userpassword: [goodPassword] });
      const change = { mustChange: false };
      expect(await reasonOf(ground.admin.setPassword(dn, refusedPassword, change))).toBe('password_refused');
      expect(await reasonOf(replace(dn, refusedPassword))).toBe('password_refused');
      expect(await logsIn(dn, goodPassword)).toBe(true);

      const refused = container.child([{ type: 'cn', value: 'refused' }]);
      const added = ground.admin.add(refused, person({ userpassword: [refusedPassword] }));
      expect(await reasonOf(added)).toBe('password_refused');
      expect(await ground.admin.read(refused, [])).toBeUndefined();
    });
  }
}

async function expectUnreadable(ground: Ground, dn: Dn, password: string): Promise<void> {
  const stored = await ground.values(dn, 'userpassword');
  expect(stored.filter((value) => value.includes(password))).toEqual([]);
}

/** RFC 2307's `{SSHA}`: base64 of SHA-1(password ‖ salt) ‖ salt. */
function ssha(password: string): string {
  const salt = Buffer.from('salted!!');
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`;
}
