/** Attempts to smuggle syntax into names, values and filters: nothing is found or changed that should not be. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../foundation/text/dn.ts';
import { engines, openStage, refusalOf, type Stage } from '../testing/bed/stage.ts';

/** Each of them would be something else to a filter, a DN or an LDIF line that is pasted together. */
const hostile = [
  '*',
  'vic*',
  '*)(uid=*',
  'victim)(|(uid=*)',
  'x)(uid=victim))(|(uid=x',
  '\\2a',
  'victim\\00',
  'victim\u0000',
  'x,ou=victim',
  'x+uid=victim',
  'x\nuid: victim',
  'victim\r\nobjectClass: webadmAccount',
  '"victim"',
  '#766963',
  '<victim>;',
  'uid=victim',
  '(&)',
  'víctim',
];

describe.each(engines)('injection: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  let container: string;
  let victim: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    manager = stage.manager;
    container = await stage.container();
    victim = await stage.person(container, 'victim', { mail: 'victim@x.org' });
  });
  afterAll(() => stage.close());

  const found = async (filter: string) =>
    Object.keys(
      await manager.Search_LDAP_Objects({ basedn: container, scope: 'one', filter, attrs: ['1.1'] }),
    );

  describe.each(hostile)('%j', (text) => {
    it('finds no user as a user name, and nothing as a domain', async () => {
      expect(await refusalOf(manager.Get_User_DN({ username: text, domain: 'Default' }))).toEqual({
        reason: 'not_found',
        detail: `User not found Default\\${text}`,
      });
      expect(await refusalOf(manager.Get_User_DN({ username: 'victim', domain: text }))).toEqual({
        reason: 'not_found',
        detail: `Domain '${text}' not existing`,
      });
      expect(await manager.Count_Domain_Users({ domain: text })).toBe(false);
    });

    it('is that user as a name, in its own groups only', async () => {
      const inner = await stage.container(container);
      const dn = await stage.person(inner, text);
      expect(
        Dn.parse(await manager.Get_User_DN({ username: text, domain: 'Default' })).equals(Dn.parse(dn)),
      ).toBe(true);
      expect(await manager.Get_User_IDs({ dn })).toEqual([text]);
      const names = `cn=names,${inner}`;
      const others = `cn=others,${inner}`;
      const posix = { objectclass: 'posixGroup', gidnumber: '1' };
      await manager.Create_LDAP_Object({ dn: names, attrs: { ...posix, memberuid: 'text' } });
      await manager.Create_LDAP_Object({
        dn: others,
        attrs: { objectclass: 'groupOfNames', member: victim },
      });
      expect(await manager.Get_User_Groups({ dn, domain: 'Default' })).toEqual([]);
      await manager.Set_User_Attrs({ dn: others, attrs: { member: dn }, values: true });
      expect(await manager.Get_User_Groups({ dn, domain: 'Default' })).toEqual([others]);
      await manager.Remove_LDAP_Object({ dn });
      expect(await manager.Check_LDAP_Object({ dn: victim })).toBe(true);
    });

    it('is one value as a value or a new name', async () => {
      const dn = await stage.person(container, 'bearer', { description: text });
      expect(await manager.Get_User_Attrs({ dn, attrs: ['description'] })).toEqual({ description: [text] });
      await manager.Set_User_Settings({ dn, settings: { 'Otp.ReplyData': text } });
      expect(await manager.Get_User_Settings({ dn, settings: ['Otp.ReplyData'] })).toEqual({
        'Otp.ReplyData': text,
      });
      await manager.Rename_LDAP_Object({ dn, name: text });
      const renamed = Dn.parse(container)
        .child([{ type: 'uid', value: text }])
        .toString();
      expect(await manager.Get_User_Attrs({ dn: renamed, attrs: ['uid'] })).toEqual({ uid: [text] });
      await manager.Remove_LDAP_Object({ dn: renamed });
      expect(await found('(uid=*)')).toEqual([victim]);
    });

    it('is refused as an attribute', async () => {
      const refused = {
        reason: 'invalid_params',
        detail: `Parameter attrs: '${text}' is not an attribute name`,
      };
      const refusals = [
        manager.Set_User_Attrs({ dn: victim, attrs: { [text]: 'x' } }),
        manager.Set_User_Attrs({ dn: victim, attrs: { [text]: 'x' }, values: true }),
        manager.Remove_User_Attrs({ dn: victim, attrs: [text] }),
        manager.Remove_User_Attrs({ dn: victim, attrs: { [text]: 'x' }, values: true }),
      ];
      expect(await Promise.all(refusals.map(refusalOf))).toEqual(refusals.map(() => refused));
      if (text === '*') return; // what asks for all attributes, RFC 4511 §4.5.1.8
      expect(await refusalOf(manager.Get_User_Attrs({ dn: victim, attrs: [text] }))).toEqual(refused);
      expect(await refusalOf(manager.Search_LDAP_Objects({ basedn: container, attrs: [text] }))).toEqual(
        refused,
      );
    });

    it('names nothing else in a DN', async () => {
      const dn = Dn.parse(container)
        .child([{ type: 'uid', value: text }])
        .toString();
      expect(await manager.Check_LDAP_Object({ dn })).toBe(false);
      expect((await refusalOf(manager.Remove_LDAP_Object({ dn }))).reason).toBe('not_found');
      expect((await refusalOf(manager.Set_User_Attrs({ dn, attrs: { sn: 'x' } }))).reason).toBe('not_found');
      expect(await manager.Get_User_Attrs({ dn: victim, attrs: ['sn'] })).toEqual({ sn: ['Person'] });
    });
  });

  it.each(['uid=victim,ou=people)(uid=*', '*', 'uid=victim', `uid=\\`, 'dn: uid=victim'])(
    'does not read %j as a DN in the tree',
    async (dn) => {
      const refusal = await refusalOf(manager.Remove_LDAP_Object({ dn }));
      expect(['invalid_dn', 'not_found', 'permission_denied', 'schema_refused']).toContain(refusal.reason);
      expect(await found('(uid=victim)')).toEqual([victim]);
    },
  );

  it('omits a secret attribute from answers unless it is requested', async () => {
    await manager.Set_User_Password({ dn: victim, password: 'First-Pa55' });
    await manager.Set_User_Password({ dn: victim, password: 'Second-Pa55' });
    for (const attrs of [[], ['*'], ['*', '+'], ['2.5.4.35']]) {
      const names = Object.keys(await manager.Get_User_Attrs({ dn: victim, attrs }));
      expect(names).not.toContain('userpassword');
      expect(names).not.toContain('pwdhistory');
    }
  });
});
