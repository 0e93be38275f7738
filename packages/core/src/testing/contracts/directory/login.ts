/** Contract: binding and authenticating: right, wrong, unknown, empty, locked; and what closing means. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../../foundation/text/dn.ts';
import { goodPassword, otherPassword, reasonOf, type TestBed } from './test-bed.ts';

const wrong = { granted: false, refusal: 'wrong_password' };

export function describeLogin(bed: TestBed): void {
  describe('login', () => {
    let container: Dn;
    let dn: Dn;
    beforeAll(async () => {
      container = await bed.container();
      dn = await bed.person(container, 'login', { userpassword: [goodPassword] });
    });

    it('is granted with the right password', async () => {
      expect(await bed.server.authenticate(dn, goodPassword)).toEqual({
        granted: true,
        mustChange: false,
      });
    });

    it.each([
      ['a wrong one', otherPassword],
      ['one that begins with the right one', `${goodPassword} `],
      ['one in another case', goodPassword.toUpperCase()],
      ['an empty one', ''],
    ])('is refused with %s', async (kind, password) => {
      const refused = await bed.person(container, kind, { userpassword: [goodPassword] });
      expect(await bed.server.authenticate(refused, password)).toEqual(wrong);
      expect(await bed.server.bind(refused, password)).toEqual(wrong);
    });

    it('is refused to one who does not exist, or is nobody', async () => {
      const nobody = container.child([{ type: 'cn', value: 'nobody' }]);
      expect(await bed.server.authenticate(nobody, goodPassword)).toEqual(wrong);
      expect(await bed.server.bind(nobody, goodPassword)).toEqual(wrong);
      expect(await bed.server.authenticate(Dn.root, goodPassword)).toEqual(wrong);
      expect(await bed.server.authenticate(Dn.root, '')).toEqual(wrong);
    });

    it('is refused to an entry without a password', async () => {
      const without = await bed.person(await bed.container(), 'without');
      expect(await bed.server.authenticate(without, goodPassword)).toEqual(wrong);
    });

    it('gives a directory that is bound as that identity, until it is closed', async () => {
      const { dn: reader, password } = bed.fixture.reader;
      const result = await bed.server.bind(reader, password);
      if (!result.granted) throw new Error(result.refusal);
      expect(result.mustChange).toBe(false);
      expect(result.directory.identity.equals(reader)).toBe(true);
      expect(await result.directory.read(dn, ['sn'])).toBeDefined();
      expect(await reasonOf(result.directory.remove(dn))).toBe('permission_denied');
      await result.directory.close();
      expect(await reasonOf(result.directory.read(dn))).not.toBe('done');
      await result.directory.close();
    });

    it('leaves the service what it is', async () => {
      const { dn: reader, password } = bed.fixture.reader;
      const { identity } = bed.server.service;
      await bed.server.authenticate(reader, password);
      await bed.server.authenticate(dn, goodPassword);
      expect(bed.server.service.identity).toBe(identity);
      expect(await bed.server.service.read(dn, ['sn'])).toBeDefined();
    });

    describeLocks(bed);
  });
}

function describeLocks(bed: TestBed): void {
  const { lockAfter } = bed.traits;
  if (lockAfter === undefined) return;

  it(`is refused after ${lockAfter} wrong passwords, the right one too`, async () => {
    const dn = await bed.person(await bed.container(), 'locked', { userpassword: [goodPassword] });
    for (let n = 0; n < lockAfter; n += 1) await bed.server.authenticate(dn, otherPassword);
    const locked = { granted: false, refusal: 'account_locked' };
    expect(await bed.server.authenticate(dn, goodPassword)).toEqual(locked);
    expect(await bed.server.bind(dn, goodPassword)).toEqual(locked);
  });
}
