/** Attributes, certificates and passwords, on both engines. */
import { X509Certificate } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { bytesOf } from '../../foundation/text/value.ts';
import { forgiving } from '../../testing/bed/forgiving.ts';
import { turnsDuring } from '../../testing/bed/measures/turn-times.ts';
import { run, scratchFolder } from '../../testing/bed/scratch.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';
import { decodeAttributes } from './attributes.ts';

it('reads thousands of values cooperatively', async () => {
  const photos = Array.from({ length: 20_000 }, (_, n) => Buffer.from(`photo ${n}`).toString('base64'));
  let read = 0;
  const turns = await turnsDuring(async () => {
    read =
      (await decodeAttributes(new Map([['jpegPhoto', photos]]), () => true)).get('jpegphoto')?.length ?? 0;
  });
  expect(read).toBe(20_000);
  expect(turns).toBeGreaterThanOrEqual(19);
});

/** Attributes of octet string syntax, which is inherited and has another name, and one that is text by use. */
const octets = `
attributetype ( 1.3.6.1.4.1.32473.1.1 NAME ( 'exampleToken' 'exampleTokenAlias' )
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40{64} )
attributetype ( 1.3.6.1.4.1.32473.1.2 NAME 'exampleSpareToken' SUP exampleToken )
attributetype ( 1.3.6.1.4.1.24552.500.1.1.1.13 NAME 'sshPublicKey'
  EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )
objectclass ( 1.3.6.1.4.1.32473.2.1 NAME 'exampleHolder' SUP top AUXILIARY
  MAY ( exampleToken $ exampleSpareToken $ sshPublicKey ) )
`;

describe.each(engines)('attributes: %s', (engine) => {
  let stage: Stage;
  let manager: Stage['manager'];
  let container: string;
  beforeAll(async () => {
    const nis = await readFile('/etc/ldap/schema/nis.schema', 'utf8');
    stage = await openStage(engine, { nis: `${nis}\n${octets}` });
    manager = stage.manager;
    container = await stage.container();
  });
  afterAll(() => stage.close());

  let people = 0;
  const person = (more = {}) => {
    people += 1;
    return stage.person(container, `person${people}`, more);
  };
  const attributesOf = (dn: string, ...attrs: string[]) => manager.Get_User_Attrs({ dn, attrs });

  describe('Get_User_Attrs', () => {
    it('gives names in lower case, arrays always, and nothing for what is absent', async () => {
      const dn = await person({ mail: ['a@x.org', 'b@x.org'], title: 'Dr' });
      expect(await attributesOf(dn, 'MAIL', 'Title', 'mobile', 'x-unknown')).toEqual({
        mail: ['a@x.org', 'b@x.org'],
        title: ['Dr'],
      });
      expect(await attributesOf(dn, 'mobile')).toEqual({});
      const list = { 1: 'mail', 0: 'title' } as const;
      expect(Object.keys(await forgiving(manager).Get_User_Attrs({ dn, attrs: list })).sort()).toEqual([
        'mail',
        'title',
      ]);
      expect(await manager.Get_User_Attrs({ dn })).toMatchObject({ title: ['Dr'], sn: ['Person'] });
      expect(await manager.Get_User_Attrs({ dn, attrs: [] })).toMatchObject({ title: ['Dr'] });
      expect(await attributesOf(dn, '1.1')).toEqual({});
      expect((await attributesOf(dn, '+')).entryuuid).toHaveLength(1);
    });

    it('reports a missing entry before anything else that is wrong', async () => {
      const dn = `uid=missing,${container}`;
      const noObject = { reason: 'not_found', detail: `LDAP object '${dn}' does not exist` };
      const attrs = { 'no name': 'x' };
      expect(await refusalOf(manager.Get_User_Attrs({ dn }))).toEqual(noObject);
      expect(await refusalOf(manager.Get_User_Attrs({ dn, attrs: ['no name'] }))).toEqual(noObject);
      expect(await refusalOf(manager.Set_User_Attrs({ dn, attrs }))).toEqual(noObject);
      expect(await refusalOf(manager.Set_User_Attrs({ dn, attrs: {} }))).toEqual(noObject);
      expect(await refusalOf(manager.Set_User_Attrs({ dn, attrs: { mail: 'x' }, values: true }))).toEqual(
        noObject,
      );
      expect(await refusalOf(manager.Remove_User_Attrs({ dn, attrs: ['*'] }))).toEqual(noObject);
      expect(await refusalOf(manager.Remove_User_Attrs({ dn, attrs: [] }))).toEqual(noObject);
      expect(await refusalOf(manager.Get_User_Certificates({ dn }))).toEqual(noObject);
      expect(await refusalOf(manager.Remove_User_Certificate({ dn, certificate: 'x' }))).toEqual(noObject);
      expect(await refusalOf(manager.Set_User_Password({ dn, password: 'Some-Pa55' }))).toEqual(noObject);
      expect(await refusalOf(manager.Set_User_Password({ dn, password: '' }))).toEqual(noObject);
      expect(await refusalOf(manager.Check_User_Password({ dn, password: 'x' }))).toEqual(noObject);
    });
  });

  describe('Set_User_Attrs', () => {
    it('replaces what is named and leaves the rest', async () => {
      const dn = await person({ mail: ['a@x.org'], title: 'Dr' });
      expect(
        await forgiving(manager).Set_User_Attrs({ dn, attrs: { Mail: ['b@x.org', 'b@x.org'], mobile: 123 } }),
      ).toBe(1);
      expect(await attributesOf(dn, 'mail', 'mobile', 'title')).toEqual({
        mail: ['b@x.org'],
        mobile: ['123'],
        title: ['Dr'],
      });
      expect(await manager.Set_User_Attrs({ dn, attrs: { title: [], mail: 'c@x.org' } })).toBe(1);
      expect(await attributesOf(dn, 'title', 'mail')).toEqual({ mail: ['c@x.org'] });
      expect(await manager.Set_User_Attrs({ dn, attrs: {} })).toBe(1);
    });

    it('adds values to those that are there, whichever of them are', async () => {
      const dn = await person({ mail: ['a@x.org'] });
      const add = (attrs: Record<string, string | string[]>) =>
        manager.Set_User_Attrs({ dn, attrs, values: true });
      expect(await add({ mail: 'b@x.org' })).toBe(1);
      expect(await add({ mail: ['a@x.org', 'c@x.org'], title: 'Dr' })).toBe(1);
      expect(await add({ mail: ['A@X.ORG', 'd@x.org'] })).toBe(1);
      expect(await add({ mail: 'b@x.org' })).toBe(1);
      expect(await add({ mail: [] })).toBe(1);
      const { mail = [], title } = await attributesOf(dn, 'mail', 'title');
      expect([[...mail].sort(), title]).toEqual([['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org'], ['Dr']]);
    });

    it('adds a member once, however its name is spelled', async () => {
      const [one, two] = [await person(), await person()];
      const dn = `cn=team,${container}`;
      await manager.Create_LDAP_Object({ dn, attrs: { objectclass: 'groupOfNames', member: one } });
      const add = (member: string) =>
        manager.Set_User_Attrs({ dn, attrs: { member: [member] }, values: true });
      expect(await add(two)).toBe(1);
      expect(await add(two.toUpperCase().replaceAll(',', ' , '))).toBe(1);
      expect(await attributesOf(dn, 'member')).toEqual({ member: [one, two] });
    });

    it('changes all or nothing', async () => {
      const dn = await person({ mail: ['a@x.org'] });
      for (const values of [false, true]) {
        const attrs = { mail: ['a@x.org', 'b@x.org'], uidnumber: 'no number' };
        const refusal = await refusalOf(manager.Set_User_Attrs({ dn, attrs, values }));
        expect(refusal.reason).toBe('schema_refused');
        expect(refusal.detail).toMatch(`Could not update LDAP object '${dn}' (`);
        expect(await attributesOf(dn, 'mail')).toEqual({ mail: ['a@x.org'] });
      }
    });

    it('loses no change of 20 concurrent calls', async () => {
      const dn = await person({ mail: ['a@x.org'] });
      const adds = Array.from({ length: 20 }, (_, n) =>
        manager.Set_User_Attrs({ dn, attrs: { mail: [`${n}@x.org`, 'a@x.org'] }, values: true }),
      );
      expect(await Promise.all(adds)).toEqual(Array(20).fill(1));
      expect((await attributesOf(dn, 'mail')).mail).toHaveLength(21);
    });

    it.each([
      [{ 'no name': 'x' }, "Parameter attrs: 'no name' is not an attribute name"],
      [{ __proto__x: 'x' }, "Parameter attrs: '__proto__x' is not an attribute name"],
      [{ '*': 'x' }, "Parameter attrs: '*' is not an attribute name"],
      [{ mail: 'x', MAIL: 'y' }, 'Parameter attrs names mail twice'],
      [{ jpegphoto: '!' }, 'Parameter attrs not Base64'],
      [{ jpegphoto: '"AAAAA"' }, 'Parameter attrs not Base64'],
      [{ usercertificate: 'AAAA' }, 'Parameter attrs holds no X.509 certificate'],
      [{ usercertificate: '' }, 'Parameter attrs holds no X.509 certificate'],
      [{ usercertificate: 'this is no certificate' }, 'Parameter attrs holds no X.509 certificate'],
      [{ mail: { first: 'x' } }, 'Parameter attrs not Array'],
      [{ mail: 'half a \ud800' }, 'Parameter attrs not Array'],
    ])('refuses %j', async (attrs, detail) => {
      const dn = await person();
      expect(await refusalOf(forgiving(manager).Set_User_Attrs({ dn, attrs }))).toEqual({
        reason: 'invalid_params',
        detail,
      });
    });
  });

  it('reads binary attributes as deployed clients write them', async () => {
    const dn = await person();
    const photo = Buffer.from(Uint8Array.from({ length: 254 }, (_, at) => at));
    const [first = '', ...rest] =
      photo
        .toString('base64')
        .replace(/=+$/, '')
        .match(/.{1,76}/g) ?? [];
    for (const text of [`"${[first, ...rest].join('\r\n')}"`, `'${first}!${rest.join(' ')}`]) {
      expect(await manager.Set_User_Attrs({ dn, attrs: { jpegphoto: [text] } })).toBe(1);
      expect(await attributesOf(dn, 'jpegphoto')).toEqual({ jpegphoto: [photo.toString('base64')] });
    }
  });

  describe('Remove_User_Attrs', () => {
    it('removes named attributes, existing or not', async () => {
      const dn = await person({ mail: ['a@x.org'], title: 'Dr', mobile: '1' });
      expect(await manager.Remove_User_Attrs({ dn, attrs: ['Mail', 'pager'] })).toBe(1);
      expect(await manager.Remove_User_Attrs({ dn, attrs: { 0: 'title' } })).toBe(1);
      expect(await manager.Remove_User_Attrs({ dn, attrs: { mobile: ['2'] } })).toBe(1);
      expect(await manager.Remove_User_Attrs({ dn, attrs: [] })).toBe(1);
      expect(await attributesOf(dn, 'mail', 'title', 'mobile', 'sn')).toEqual({ sn: ['Person'] });
    });

    it('removes the existing ones of the given values only', async () => {
      const dn = await person({ mail: ['a@x.org', 'b@x.org', 'c@x.org'] });
      const remove = (attrs: Record<string, string | string[] | Record<number, string>>) =>
        forgiving(manager).Remove_User_Attrs({ dn, attrs, values: true });
      expect(await remove({ mail: ['B@x.org', 'nobody@x.org'], pager: '1' })).toBe(1);
      expect(await attributesOf(dn, 'mail')).toEqual({ mail: ['a@x.org', 'c@x.org'] });
      expect(await remove({ mail: 'b@x.org' })).toBe(1);
      expect(await remove({ mail: { 0: 'a@x.org', 1: 'c@x.org' } })).toBe(1);
      expect(await attributesOf(dn, 'mail')).toEqual({});
    });

    it('refuses names for values, and wildcards for names', async () => {
      const dn = await person({ mail: ['a@x.org'] });
      expect(await refusalOf(manager.Remove_User_Attrs({ dn, attrs: ['mail'], values: true }))).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter attrs names attributes, but no values',
      });
      expect((await refusalOf(manager.Remove_User_Attrs({ dn, attrs: ['*'] }))).reason).toBe(
        'invalid_params',
      );
      expect(await attributesOf(dn, 'mail')).toEqual({ mail: ['a@x.org'] });
    });

    it('removes all or nothing', async () => {
      const dn = await person({ sn: ['One', 'Two'], mail: ['a@x.org', 'b@x.org'] });
      const attrs = { mail: ['a@x.org'], sn: ['One', 'Two'] };
      expect((await refusalOf(manager.Remove_User_Attrs({ dn, attrs, values: true }))).reason).toBe(
        'schema_refused',
      );
      expect(await attributesOf(dn, 'mail', 'sn')).toEqual({
        mail: ['a@x.org', 'b@x.org'],
        sn: ['One', 'Two'],
      });
    });
  });

  describe('binary attributes', () => {
    const png = Buffer.from('89504e470d0a1a0a00ff', 'hex');

    it('returns base64 for any bytes, and accepts white space and missing padding', async () => {
      const dn = await person();
      const wire = png.toString('base64');
      const sloppy = ` ${wire.slice(0, 4)}\n${wire.slice(4).replace(/=+$/, '')} `;
      await manager.Set_User_Attrs({ dn, attrs: { jpegPhoto: sloppy } });
      expect(await attributesOf(dn, 'jpegphoto')).toEqual({ jpegphoto: [wire] });
      await manager.Set_User_Attrs({ dn, attrs: { jpegPhoto: Buffer.from('text').toString('base64') } });
      expect(await attributesOf(dn, 'jpegphoto')).toEqual({ jpegphoto: ['dGV4dA=='] });
      const [found] = Object.values(
        await manager.Search_LDAP_Objects({ basedn: dn, scope: 'base', attrs: ['jpegPhoto'] }),
      );
      expect(found).toEqual({ jpegphoto: ['dGV4dA=='] });
    });

    it('accepts large values', async () => {
      const dn = await person();
      const wire = Buffer.alloc(300_000, png).toString('base64');
      expect(await manager.Set_User_Attrs({ dn, attrs: { jpegPhoto: wire } })).toBe(1);
      expect(await attributesOf(dn, 'jpegphoto')).toEqual({ jpegphoto: [wire] });
    });
  });

  describe.runIf(engine === 'OpenLDAP')('attributes whose syntax in the schema is one of bytes', () => {
    const [bytes, text] = ['ff000102', '74657874'].map((hex) =>
      Buffer.from(hex, 'hex').toString('base64'),
    ) as [string, string];
    const holder = (more = {}) =>
      person({ objectclass: ['inetOrgPerson', 'webadmAccount', 'exampleHolder'], ...more });
    const stored = async (dn: string, name: string) =>
      (await stage.ports.directory.service.read(Dn.parse(dn), [name]))?.attributes
        .get(name.toLowerCase())
        ?.map((value) => Buffer.from(bytesOf(value)).toString('base64'));

    it('takes base64 to create, replace, add and remove them, and returns base64', async () => {
      const dn = await holder({ exampleToken: [bytes, text] });
      expect(await stored(dn, 'exampleToken')).toEqual([bytes, text]);
      expect(await attributesOf(dn, 'exampleToken')).toEqual({ exampletoken: [bytes, text] });
      const search = {
        basedn: container,
        filter: '(exampleToken=\\ff\\00\\01\\02)',
        attrs: ['exampleToken'],
      };
      expect(await manager.Search_LDAP_Objects(search)).toEqual({ [dn]: { exampletoken: [bytes, text] } });
      expect(await manager.Get_User_Attrs({ dn })).toMatchObject({ exampletoken: [bytes, text] });
      const removal = { dn, attrs: { exampleToken: [bytes] }, values: true };
      expect(await manager.Remove_User_Attrs(removal)).toBe(1);
      expect(await stored(dn, 'exampleToken')).toEqual([text]);
      expect(await manager.Set_User_Attrs(removal)).toBe(1);
      expect(await stored(dn, 'exampleToken')).toEqual([text, bytes]);
      const result = await stage.dryRun.Set_User_Attrs({ dn, attrs: { exampleToken: text } });
      expect(result).toMatchObject({ would: [{ changes: [{ values: [text] }] }] });
      expect(await manager.Set_User_Attrs({ dn, attrs: { exampleToken: bytes } })).toBe(1);
      expect(await stored(dn, 'exampleToken')).toEqual([bytes]);
    });

    it('recognises them by other names, by OID and by their superior type', async () => {
      const dn = await holder();
      for (const name of ['exampleTokenAlias', '1.3.6.1.4.1.32473.1.1', 'exampleSpareToken']) {
        await manager.Set_User_Attrs({ dn, attrs: { [name]: text } });
        expect(Object.values(await attributesOf(dn, name))).toEqual([[text]]);
      }
      expect(await stored(dn, 'exampleToken')).toEqual([text]);
      expect(await stored(dn, 'exampleSpareToken')).toEqual([text]);
    });

    it('refuses a value that is not base64', async () => {
      const dn = await holder();
      expect(await refusalOf(manager.Set_User_Attrs({ dn, attrs: { exampleToken: 'AAAAA' } }))).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter attrs not Base64',
      });
    });

    it('marks them in the schema for forms', async () => {
      const { attributes } = await manager.Get_Directory_Schema({ dn: container });
      const binary = attributes.filter((one) => one.binary).map(({ name }) => name);
      expect(binary).toEqual(expect.arrayContaining(['exampleSpareToken', 'exampleToken', 'jpegPhoto']));
      expect(binary).not.toContain('sshPublicKey');
      expect(binary).not.toContain('userPassword');
      expect(binary).not.toContain('webadmData');
      expect(binary).not.toContain('description');
    });

    it('returns text when the configuration lists them as text', async () => {
      const sshPublicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE alice@example.org';
      const dn = await holder({ sshPublicKey, userpassword: 'correct horse' });
      expect(await attributesOf(dn, 'sshPublicKey')).toEqual({ sshpublickey: [sshPublicKey] });
      expect((await attributesOf(dn, 'userPassword')).userpassword?.[0]).toMatch(/^\{SSHA\}/);
      const schema = { text_attributes: ['exampleToken'] };
      const other = await stage.enter({ config: { schema } });
      await other.Set_User_Attrs({ dn, attrs: { exampleToken: 'text' } });
      expect(await other.Get_User_Attrs({ dn, attrs: ['exampleToken'] })).toEqual({ exampletoken: ['text'] });
      expect(await attributesOf(dn, 'exampleToken')).toEqual({ exampletoken: [text] });
      for (const name of ['exampleTokenAlias', '1.3.6.1.4.1.32473.1.1']) {
        await other.Set_User_Attrs({ dn, attrs: { [name]: bytes } });
        expect(await stored(dn, 'exampleToken')).toEqual([Buffer.from(bytes).toString('base64')]);
        expect(Object.values(await other.Get_User_Attrs({ dn, attrs: [name] }))).toEqual([[bytes]]);
      }
      const keyOid = '1.3.6.1.4.1.24552.500.1.1.1.13';
      await manager.Set_User_Attrs({ dn, attrs: { [keyOid]: sshPublicKey } });
      expect(await attributesOf(dn, 'sshPublicKey')).toEqual({ sshpublickey: [sshPublicKey] });
      expect(await other.Set_User_Attrs({ dn, attrs: { sshPublicKey: bytes } })).toBe(1);
      expect(await stored(dn, 'sshPublicKey')).toEqual([Buffer.from(bytes).toString('base64')]);
    });

    it('returns base64 in copies of another directory', async () => {
      const sync = `ou=sync,${stage.base}`;
      await manager.Create_LDAP_Object({ dn: sync, attrs: { objectclass: 'organizationalUnit' } });
      const copy = { dn: 'uid=zoe,dc=branch,dc=example', type: 'user' as const };
      const attrs = { objectclass: ['inetOrgPerson', 'exampleHolder'], exampleToken: text };
      for (const token of [text, bytes]) {
        await manager.Sync_LDAP_Object({ ...copy, attrs: { ...attrs, exampleToken: token } });
        expect(await stored(`uid=zoe,${sync}`, 'exampleToken')).toEqual([token]);
      }
    });

    it('reads the schema from the directory once', async () => {
      const dn = await holder({ exampleToken: text });
      await attributesOf(dn, 'exampleToken');
      stage.takeAsked();
      await attributesOf(dn, 'exampleToken');
      expect(stage.takeAsked()).toEqual(['read']);
    });
  });

  describe('certificates', () => {
    let pem: string;
    let expired: string;
    beforeAll(async () => {
      [pem, expired] = await makeCertificates();
    });
    const bare = (text: string) => text.replace(/-----.*-----/g, '').replace(/\s+/g, '');

    it('accepts base64 of DER or PEM, and adds to existing certificates', async () => {
      const dn = await person();
      const add = (text: string) =>
        manager.Set_User_Attrs({ dn, attrs: { usercertificate: [text] }, values: true });
      expect(await add(bare(pem))).toBe(1);
      expect(await add(expired)).toBe(1);
      expect(await add(pem)).toBe(1);
      expect(await attributesOf(dn, 'userCertificate')).toEqual({
        usercertificate: [bare(pem), bare(expired)],
      });
      expect(await manager.Get_User_Certificates({ dn })).toEqual([pem.trim(), expired.trim()]);
    });

    it('ignores quotes, line breaks and other text around certificates', async () => {
      const dn = await person();
      const spoilt = [...bare(pem).replace(/=+$/, '')].map((c, at) => (at % 50 === 0 ? `" \r\n'${c}` : c));
      for (const text of [`"${bare(pem)}"`, `${spoilt.join('')}"`, pem.replace(/\s+/g, '')]) {
        expect(await manager.Set_User_Attrs({ dn, attrs: { usercertificate: text } })).toBe(1);
        expect(await attributesOf(dn, 'userCertificate')).toEqual({ usercertificate: [bare(pem)] });
      }
      const attrs = { usercertificate: [`'${bare(pem)}'`] };
      expect(await manager.Remove_User_Attrs({ dn, attrs, values: true })).toBe(1);
      expect(await attributesOf(dn, 'userCertificate')).toEqual({});
    });

    it('refuses a text with two certificates', async () => {
      const both = Buffer.concat([pem, expired].map((text) => Buffer.from(bare(text), 'base64')));
      const attrs = { usercertificate: both.toString('base64') };
      expect(await refusalOf(manager.Set_User_Attrs({ dn: await person(), attrs }))).toEqual({
        reason: 'invalid_params',
        detail: 'Parameter attrs holds more than one X.509 certificate in one text; send a list',
      });
    });

    it('returns PEM of 64 columns without a final newline, also of expired ones', async () => {
      const dn = await person({ usercertificate: bare(expired) });
      const [only = '', ...others] = await manager.Get_User_Certificates({ dn });
      expect(others).toEqual([]);
      const { validFrom, validTo } = new X509Certificate(only);
      expect(Date.parse(validTo)).toBeLessThan(Date.parse(validFrom));
      const [header, ...lines] = only.split('\n');
      expect([header, lines.at(-1)]).toEqual(['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----']);
      expect(new Set(lines.slice(0, -2).map((line) => line.length))).toEqual(new Set([64]));
      expect(await manager.Get_User_Certificates({ dn: await person() })).toEqual([]);
    });

    it('removes single certificates', async () => {
      const dn = await person({ usercertificate: [bare(pem), expired] });
      expect(await manager.Remove_User_Certificate({ dn, certificate: pem })).toBe(true);
      expect(await manager.Remove_User_Certificate({ dn, certificate: pem })).toBe(false);
      expect(await manager.Get_User_Certificates({ dn })).toEqual([expired.trim()]);
      const attrs = { usercertificate: [bare(expired)] };
      expect(await manager.Remove_User_Attrs({ dn, attrs, values: true })).toBe(1);
      expect(await manager.Get_User_Certificates({ dn })).toEqual([]);
      expect((await refusalOf(manager.Remove_User_Certificate({ dn, certificate: 'AAAA' }))).reason).toBe(
        'invalid_params',
      );
    });
  });

  describe('passwords', () => {
    it('sets and checks a password', async () => {
      const dn = await person();
      expect(await manager.Set_User_Password({ dn, password: 'First-Pa55' })).toBe(1);
      expect(await manager.Set_User_Password({ dn, password: ' Ünï "c0de" ', change: true })).toBe(1);
      expect(await manager.Check_User_Password({ dn, password: ' Ünï "c0de" ' })).toBe(true);
      for (const wrong of ['First-Pa55', 'Ünï "c0de"', '']) {
        expect(await manager.Check_User_Password({ dn, password: wrong })).toBe(false);
      }
    });

    it('judges no password beyond the limits of failed logins', async () => {
      const dn = await stage.person(await stage.container(), 'guessed', { userpassword: 'Not-th1s-one' });
      const spellings = [dn, dn.toUpperCase(), dn.replaceAll(',', ' , ')];
      for (let i = 0; i < 10; i += 1) {
        const guess = { dn: spellings[i % 3] ?? dn, password: `guess ${i}` };
        expect(await manager.Check_User_Password(guess)).toBe(false);
      }
      const right = manager.Check_User_Password({ dn, password: 'Not-th1s-one' });
      expect((await refusalOf(right)).reason).toBe('too_many_attempts');
    });

    it('refuses an empty password', async () => {
      const dn = await person({ userpassword: 'First-Pa55' });
      expect(await refusalOf(manager.Set_User_Password({ dn, password: '' }))).toEqual({
        reason: 'password_refused',
        detail: `Could not update LDAP object '${dn}' (the password is empty)`,
      });
      expect(await manager.Check_User_Password({ dn, password: 'First-Pa55' })).toBe(true);
    });
  });
});

/** Two self-signed certificates as PEM: one that is good for a month, and one that expired a day ago. */
async function makeCertificates(): Promise<[string, string]> {
  const folder = await scratchFolder('certificates');
  const at = (name: string) => join(folder, name);
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', at('key')];
  await run('openssl', ['req', '-x509', ...key, '-days', '30', '-subj', '/CN=alice', '-out', at('good')]);
  await run('openssl', ['req', '-new', '-key', at('key'), '-subj', '/CN=old', '-out', at('request')]);
  const sign = ['x509', '-req', '-in', at('request'), '-signkey', at('key'), '-days', '-1'];
  await run('openssl', [...sign, '-out', at('expired')]);
  const [good, expired] = [await readFile(at('good'), 'utf8'), await readFile(at('expired'), 'utf8')];
  await rm(folder, { recursive: true });
  return [good, expired];
}
