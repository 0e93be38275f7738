/**
 * What an administrator does, from the first container to the last removal, played through every door on
 * every directory. The steps build on one another, as they do in life.
 */

import type { ManagerCalls } from '@watchword/core';
import { forgiving } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { createAuthority } from '@watchword/pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directories, type Stage } from './directories.ts';
import { type Door, doors } from './doors.ts';

describe.each(Object.entries(directories))('on the %s', (_directory, openStage) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  describe.each(Object.entries(doors))('through %s', (doorName, openDoor) => {
    let door: Door;
    let manager: ManagerCalls;
    const word = doorName.replace(/\W/g, '');
    const place = () => `ou=${word},${stage.base}`;
    const ann = () => `uid=ann-${word},${place()}`;
    const ben = () => `uid=ben-${word},${place()}`;
    const team = () => `cn=team,${place()}`;

    beforeAll(async () => {
      door = await openDoor(stage.service, stage.admin);
      manager = door.manager;
    });
    afterAll(() => door.close());

    it('creates a container and users in it', async () => {
      const container = { objectclass: ['organizationalUnit'], ou: [word] };
      expect(await manager.Create_LDAP_Object({ dn: place(), attrs: container })).toBe(1);
      const user = {
        objectclass: ['inetOrgPerson'],
        cn: 'Ann',
        sn: ['Able'],
        userpassword: ['ann-Pa55word'],
      };
      expect(await manager.Create_LDAP_Object({ dn: ann(), attrs: user })).toBe(1);
      const other = { objectclass: ['inetOrgPerson', 'webadmaccount'], cn: ['Ben'], sn: ['Best'] };
      expect(await manager.Create_LDAP_Object({ dn: ben(), attrs: other })).toBe(1);
      expect(await manager.Check_LDAP_Object({ dn: ann() })).toBe(true);
      expect(await manager.Check_LDAP_Object({ dn: `uid=nobody,${place()}` })).toBe(false);
    });

    it('refuses what exists, and what has no parent', async () => {
      const attrs = { objectclass: ['organizationalUnit'] };
      await expect(manager.Create_LDAP_Object({ dn: place(), attrs })).rejects.toMatchObject({
        reason: 'already_exists',
      });
      await expect(
        manager.Create_LDAP_Object({ dn: `ou=x,ou=nowhere,${stage.base}`, attrs }),
      ).rejects.toMatchObject({ reason: 'not_found' });
    });

    it('activates a user once', async () => {
      expect(await manager.Check_User_Active({ dn: ann() })).toBe(false);
      expect(await manager.Activate_LDAP_Object({ dn: ann() })).toBe(1);
      expect(await manager.Activate_LDAP_Object({ dn: ann() })).toBe(false);
      expect(await manager.Check_User_Active({ dn: ann() })).toBe(true);
      expect(await manager.Count_Activated_Users()).toBeGreaterThanOrEqual(2);
    });

    it('finds a user by a login name', async () => {
      expect(await manager.Get_User_DN({ username: `ann-${word}`, domain: 'Default' })).toBe(ann());
      expect(await manager.Get_User_IDs({ dn: ann() })).toEqual([`ann-${word}`]);
      expect(await manager.Get_User_Domains({ dn: ann() })).toEqual(['Default']);
      await expect(manager.Get_User_DN({ username: '*', domain: 'Default' })).rejects.toMatchObject({
        reason: 'not_found',
      });
    });

    it('sets, adds and removes attributes', async () => {
      expect(await manager.Set_User_Attrs({ dn: ann(), attrs: { mail: 'a@example.org' } })).toBe(1);
      await manager.Set_User_Attrs({ dn: ann(), attrs: { mail: ['b@example.org'] }, values: true });
      await forgiving(manager).Set_User_Attrs({ dn: ann(), attrs: { mobile: { 0: '+1', 1: '+2' } } });
      expect(await manager.Get_User_Attrs({ dn: ann(), attrs: ['mail', 'mobile', 'title'] })).toEqual({
        mail: ['a@example.org', 'b@example.org'],
        mobile: ['+1', '+2'],
      });
      await manager.Remove_User_Attrs({ dn: ann(), attrs: { mail: ['a@example.org'] }, values: true });
      await manager.Remove_User_Attrs({ dn: ann(), attrs: ['mobile'] });
      expect(await manager.Get_User_Attrs({ dn: ann(), attrs: ['mail', 'mobile'] })).toEqual({
        mail: ['b@example.org'],
      });
    });

    it('keeps group membership both ways', async () => {
      const attrs = { objectclass: ['groupOfNames'], member: [ben()] };
      await manager.Create_LDAP_Object({ dn: team(), attrs });
      expect(await manager.Set_User_Attrs({ dn: team(), attrs: { member: [ann()] }, values: true })).toBe(1);
      expect(await manager.Get_User_Attrs({ dn: team(), attrs: ['member'] })).toEqual({
        member: [ben(), ann()],
      });
      expect(await manager.Get_User_Groups({ dn: ann(), domain: 'Default' })).toEqual([team()]);
    });

    it('keeps a certificate as the specification writes it', async () => {
      const ports = { clock: systemClock, random: systemRandom };
      const { certificate } = await createAuthority({ commonName: 'Ann', days: 1 }, ports);
      const bare = certificate.replace(/-----[A-Z ]+-----|\s/g, '');
      await manager.Set_User_Attrs({ dn: ann(), attrs: { usercertificate: bare }, values: true });
      expect(await manager.Get_User_Certificates({ dn: ann() })).toEqual([certificate.trim()]);
      expect(
        (await manager.Get_User_Attrs({ dn: ann(), attrs: ['usercertificate'] })).usercertificate,
      ).toEqual([bare]);
      expect(await manager.Remove_User_Certificate({ dn: ann(), certificate })).toBe(true);
      expect(await manager.Remove_User_Certificate({ dn: ann(), certificate })).toBe(false);
    });

    it('merges settings', async () => {
      const settings = { 'Otp.LoginMode': 'OTP', 'Otp.SecureMail': true } as const;
      expect(await manager.Set_User_Settings({ dn: ann(), settings })).toBe(1);
      await manager.Set_User_Settings({ dn: ann(), settings: { 'Otp.SecureMail': false } });
      const names = ['Otp.LoginMode', 'Otp.SecureMail', 'Otp.OTPType'] as const;
      expect(await manager.Get_User_Settings({ dn: ann(), settings: names })).toEqual({
        'Otp.OTPType': 'TOKEN',
        'Otp.LoginMode': 'OTP',
        'Otp.SecureMail': 'No',
      });
    });

    it('merges data, and shows secrets only where they are asked for', async () => {
      const secret = Buffer.from('12345678901234567890').toString('base64');
      const data = { 'Otp.TokenKey': secret, 'Otp.TokenType': Buffer.from('TOTP').toString('base64') };
      expect(await manager.Set_User_Data({ dn: ann(), data })).toBe(1);
      expect(await manager.Get_User_Data({ dn: ann() })).toEqual(data);
      const raw = await manager.Get_User_Attrs({ dn: ann(), attrs: ['webadmdata'] });
      expect(JSON.stringify(raw)).toContain('{wcrypt}');
      expect(JSON.stringify(raw)).not.toContain(secret.slice(0, 12));
    });

    it('changes and checks a password', async () => {
      expect(await manager.Check_User_Password({ dn: ann(), password: 'ann-Pa55word' })).toBe(true);
      expect(await manager.Set_User_Password({ dn: ann(), password: 'an0ther-Pa55' })).toBe(1);
      expect(await manager.Check_User_Password({ dn: ann(), password: 'an0ther-Pa55' })).toBe(true);
      expect(await manager.Check_User_Password({ dn: ann(), password: 'ann-Pa55word' })).toBe(false);
      expect(await manager.Check_User_Password({ dn: ann(), password: '' })).toBe(false);
    });

    it('keeps a password that arrives hashed', async () => {
      const hashed = '{SSHA}ITUVJyGHoKKJbhgCmI4UVMS//UxzYWx0c2FsdA=='; // SHA-1 of hashed-Pa55 and saltsalt
      await manager.Set_User_Attrs({ dn: ben(), attrs: { userpassword: [hashed] } });
      expect(await manager.Check_User_Password({ dn: ben(), password: 'hashed-Pa55' })).toBe(true);
    });

    it('searches with every scope, in creation order with the base first', async () => {
      const search = async (scope: 'base' | 'one' | 'sub', filter = '(objectclass=*)') =>
        Object.keys(await manager.Search_LDAP_Objects({ basedn: place(), filter, scope, attrs: ['cn'] }));
      expect(await search('base')).toEqual([place()]);
      expect(await search('one')).toEqual([ann(), ben(), team()]);
      expect(await search('sub')).toEqual([place(), ann(), ben(), team()]);
      expect(await search('sub', '(&(objectclass=inetorgperson)(sn=b*))')).toEqual([ben()]);
      const found = await manager.Search_LDAP_Objects({ basedn: place(), scope: 'base', attrs: ['cn'] });
      expect(found).toEqual({ [place()]: {} });
      await expect(manager.Search_LDAP_Objects({ basedn: `ou=none,${stage.base}` })).rejects.toMatchObject({
        reason: 'not_found',
      });
    });

    it('renames, moves and removes', async () => {
      const attic = `ou=attic,${place()}`;
      await manager.Create_LDAP_Object({ dn: attic, attrs: { objectclass: ['organizationalUnit'] } });
      expect(await manager.Rename_LDAP_Object({ dn: ann(), name: `anna-${word}` })).toBe(1);
      const anna = `uid=anna-${word},${place()}`;
      expect(await manager.Move_LDAP_Object({ dn: anna, container: attic })).toBe(1);
      const moved = `uid=anna-${word},${attic}`;
      expect(await manager.Get_User_Data({ dn: moved, data: ['Otp.TokenType'] })).toEqual({
        'Otp.TokenType': Buffer.from('TOTP').toString('base64'),
      });
      expect(await manager.Get_User_Groups({ dn: moved, domain: 'Default' })).toEqual([team()]);
      await expect(manager.Remove_LDAP_Object({ dn: attic })).rejects.toMatchObject({
        reason: 'schema_refused',
      });
      expect(await manager.Remove_LDAP_Object({ dn: moved })).toBe(1);
      expect(await manager.Get_User_Attrs({ dn: team(), attrs: ['member'] })).toEqual({ member: [ben()] });
    });

    it('deactivates, which takes settings and data along', async () => {
      const settings = { 'Otp.LoginMode': 'OTP' } as const;
      await manager.Set_User_Settings({ dn: ben(), settings });
      expect(await manager.Deactivate_LDAP_Object({ dn: ben() })).toBe(1);
      expect(await manager.Deactivate_LDAP_Object({ dn: ben() })).toBe(false);
      await expect(manager.Set_User_Settings({ dn: ben(), settings })).rejects.toMatchObject({
        reason: 'not_found',
      });
    });
  });
});
