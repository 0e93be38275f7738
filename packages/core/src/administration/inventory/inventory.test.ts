/** The inventory, and the tokens and keys that come out of it, over the embedded directory and slapd. */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Algorithm, hotp } from '../../foundation/oath/hotp.ts';
import { Yubikey } from '../../testing/bed/engines/yubico/yubikey.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { rounds } from '../../testing/bed/index.ts';
import { engines, openStage, refusalOf, type Stage } from '../../testing/bed/stage.ts';
import { glob } from './administration.ts';

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64');

/** RFC 4226 appendix D. */
const key = '12345678901234567890';
const codes = ['755224', '287082', '359152', '969429'];
const password = 'Correct-Horse-7';

describe.each(engines)('the inventory: %s', (engine) => {
  let stage: Stage;
  let node: Fixture;
  let people: string;
  let type: string;
  let types = 0;
  beforeAll(async () => {
    stage = await openStage(engine);
    node = await stage.fixture.another({
      config: { settings: { 'Otp.MaxTries': '1000' } },
      ports: () => stage.ports,
    });
    people = await stage.container();
  });
  beforeEach(() => {
    types += 1;
    type = `Type ${types}`;
  });
  afterAll(async () => {
    await node.close();
    await stage.close();
  });

  const put = (reference: string, more: object = {}) =>
    stage.manager.Import_Inventory_Item({ type, reference, description: 'A thing', data: {}, ...more });
  const search = (wanted: object = {}) => stage.manager.Search_Inventory_Items({ type, ...wanted });
  const look = (reference: string, of = type) =>
    stage.manager.Get_Inventory_Item({ type: of, reference }).then((item) => Object(item));

  it('finds nothing of a type that nobody knows', async () => {
    expect(await search()).toEqual([]);
  });

  it('takes an item once, whatever its capitals', async () => {
    expect(await put('AB-1')).toBe(1);
    for (const reference of ['AB-1', 'ab-1'])
      expect(await refusalOf(put(reference))).toEqual({
        reason: 'already_exists',
        detail: `Duplicate entry '${type}-${reference}' for key 'PRIMARY'`,
      });
    expect(await search()).toEqual(['AB-1']);
    expect(await look('aB-1')).toEqual({
      ...{ type, reference: 'AB-1', description: 'A thing', active: true, status: 'Valid', data: [] },
      imported: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
  });

  it('takes one of those who import the same at once', async () => {
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => put('once')));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('finds items by reference, owner, state and moment', async () => {
    const dn = await stage.person(people, `owner-${types}`);
    for (const [reference, more] of [
      ['471', {}],
      ['4711', { active: false }],
      ['4712', { status: 'Lost' }],
      ['54711', {}],
    ] as const) {
      await put(reference, more);
      stage.fixture.clock.advance(60_000);
    }
    await stage.manager.Link_Inventory_Item({ type, reference: '471', dn });
    const { imported } = await look('4711');
    const found: [object, string[]][] = [
      [{}, ['471', '4711', '4712', '54711']],
      [{ filter: '4711' }, ['4711']],
      [{ filter: '471*' }, ['471', '4711', '4712']],
      [{ filter: '*711' }, ['4711', '54711']],
      [{ filter: '*7*1*' }, ['471', '4711', '4712', '54711']],
      [{ filter: '' }, []],
      [{ linked: true }, ['471']],
      [{ linked: false }, ['4711', '4712', '54711']],
      [{ active: false }, ['4711']],
      [{ active: 'True', linked: false }, ['4712', '54711']],
      [{ status: 'lost' }, ['4712']],
      [{ start: imported }, ['4712', '54711']],
      [{ stop: imported }, ['471']],
    ];
    for (const [wanted, references] of found)
      expect([wanted, await search(wanted)]).toEqual([wanted, references]);
    expect(await refusalOf(search({ start: 'yesterday' }))).toMatchObject({ reason: 'invalid_params' });
    expect(await refusalOf(search({ status: 'New' }))).toMatchObject({ reason: 'invalid_params' });
  });

  it('counts the items that are set, changed or not', async () => {
    for (const reference of ['1', '2', '3']) await put(reference);
    const update = (wanted: object) => stage.manager.Update_Inventory_Items({ type, ...wanted });
    expect(await update({ filter: '1', status: 'Broken' })).toBe(1);
    expect(await update({ status: 'Broken', active: false })).toBe(3);
    expect(await update({ status: 'Broken', active: false })).toBe(3);
    expect(await search({ status: 'Broken', active: false })).toEqual(['1', '2', '3']);
    expect(await update({ filter: '9*', active: true })).toBe(0);
  });

  it('links an item to one entry, and to none', async () => {
    const [one, other] = [await stage.person(people, `a-${types}`), await stage.person(people, `b-${types}`)];
    await put('4711');
    const link = (dn?: string) => stage.manager.Link_Inventory_Item({ type, reference: '4711', dn });
    for (const dn of [one, other]) {
      expect(await link(dn)).toBe(1);
      expect((await look('4711')).dn).toBe(dn);
    }
    for (const nobody of ['', undefined]) {
      await link(one);
      expect(await link(nobody)).toBe(1);
      expect('dn' in (await look('4711'))).toBe(false);
    }
    const missing = `uid=nobody,${people}`;
    const unknown = { type, reference: 'none', dn: missing };
    expect(await refusalOf(stage.manager.Link_Inventory_Item(unknown))).toEqual({
      reason: 'not_found',
      detail: `LDAP object '${missing}' does not exist`,
    });
    expect(await refusalOf(stage.manager.Link_Inventory_Item({ ...unknown, dn: one }))).toEqual({
      reason: 'not_found',
      detail: `Inventory item '${type}-none' does not exist`,
    });
  });

  it('is taken out', async () => {
    await put('4711');
    expect(await stage.manager.Remove_Inventory_Item({ type, reference: '4711' })).toBe(1);
    expect(await search()).toEqual([]);
    expect(await put('4711')).toBe(1);
  });

  it.each<[string, object]>([
    ['type', { type: ' ' }],
    ['type', { type: 'x'.repeat(65) }],
    ['reference', { reference: '' }],
    ['reference', { reference: 'a\nb' }],
    ['description', { description: 'x'.repeat(1001) }],
    ['data', { data: { 'a b': '' } }],
    ['data', { data: { TokenKey: base64('x'.repeat(65_537)) } }],
    ['data', { data: { TokenKey: '!' } }],
    ['status', { status: 'Good' }],
  ])('refuses %s', async (name, wrong) => {
    const { reason, detail } = await refusalOf(put('4711', wrong));
    expect([reason, detail]).toEqual(['invalid_params', expect.stringContaining(`Parameter ${name} `)]);
  });

  it('refuses the key of a token in hexadecimal', async () => {
    const TokenKey = Buffer.from(key).toString('hex');
    const { reason, detail } = await refusalOf(put('4711', { data: { TokenKey } }));
    expect([reason, detail]).toEqual([
      'invalid_params',
      expect.stringMatching(/^Parameter data\.TokenKey is hexadecimal, not base64: /),
    ]);
    expect(await put('4711', { data: { Notes: TokenKey } })).toBe(1);
  });

  it('keeps what comes with an item to itself', async () => {
    await put('4711', { data: { TokenKey: base64('such-a-secret-value!') } });
    for await (const page of stage.ports.store.family('inventory'))
      for (const { value } of page) expect(Buffer.from(value).includes('4711')).toBe(false);
    const { lines } = stage.fixture.log;
    const kept = JSON.stringify([stage.fixture.events(), lines, await look('4711')]);
    expect(kept).not.toContain(base64('such-a-secret-value!'));
  });

  describe('a token', () => {
    const token = 'OTP Token';
    let serials = 4000;
    async function item(data: object = {}, more: object = {}) {
      serials += 1;
      const reference = `${engine}-${serials}`;
      const brings = { TokenType: base64('HOTP'), TokenKey: base64(key), ...data };
      await stage.manager.Import_Inventory_Item({
        ...{ type: token, reference, description: 'Blue', data: brings, ...more },
      });
      return reference;
    }
    const person = () => {
      serials += 1;
      return stage.person(people, `t${serials}`, { userpassword: password });
    };
    const register = (dn: string, serial: string, more: object = {}) =>
      stage.manager.Otp.Inventory_Register({ dn, serial, ...more });
    const isIn = async (dn: string, otpPassword: string) => {
      const username = /^uid=([^,]+)/.exec(dn)?.[1] ?? '';
      const login = { username, ldapPassword: password, otpPassword };
      return (await node.service.web.otp.normalLogin(login)).code === 1;
    };

    it('is registered, tells where it is from, and logs in', async () => {
      // Claims follow the secret: a key of its own.
      const own = { TokenKey: base64(`${key}-1`), TokenState: base64('5') };
      const [dn, serial] = [await person(), await item(own)];
      expect(await register(dn, serial, { id: 3 })).toBe(1);
      expect(await stage.manager.Otp.User_Tokens({ dn })).toMatchObject([
        { id: 3, type: 'HOTP', state: '5', serial, model: 'Blue' },
      ]);
      expect((await look(serial, token)).dn).toBe(dn);
    });

    it('uses up the code that is shown', async () => {
      const [dn, serial] = [await person(), await item()];
      const wrong = await refusalOf(register(dn, serial, { otp: '123456' }));
      expect(wrong.detail).toContain('Parameter otp');
      expect('dn' in (await look(serial, token))).toBe(false);
      expect(await stage.manager.Otp.User_Tokens({ dn })).toEqual([]);
      expect(await register(dn, serial, { otp: codes[1] })).toBe(1);
      expect([await isIn(dn, codes[0] ?? ''), await isIn(dn, codes[1] ?? '')]).toEqual([false, false]);
      expect(await isIn(dn, codes[2] ?? '')).toBe(true);
    });

    it.each(['SHA1', 'SHA256', 'sha512'])(
      'has the algorithm that comes with it, whatever its key: %s',
      async (TokenAlgorithm) => {
        serials += 1;
        const secret = Buffer.alloc(48, `${engine}-${serials}`);
        const brings = { TokenKey: base64(secret), TokenAlgorithm: base64(TokenAlgorithm) };
        const [dn, serial] = [await person(), await item(brings)];
        const algorithm = TokenAlgorithm.toUpperCase() as Algorithm;
        const code = (counter: number) => hotp({ secret, digits: 6, algorithm }, counter);
        expect(await register(dn, serial, { otp: code(0) })).toBe(1);
        expect(await stage.manager.Otp.User_Tokens({ dn })).toMatchObject([{ algorithm }]);
        expect(await isIn(dn, code(1))).toBe(true);
      },
    );

    it('is one user’s only', async () => {
      const [one, other, serial] = [await person(), await person(), await item()];
      const both = await Promise.allSettled([register(one, serial), register(other, serial)]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const owner = (await look(serial, token)).dn;
      expect(await register(owner, serial)).toBe(1);
      const without = owner === one ? other : one;
      expect(await stage.manager.Otp.User_Tokens({ dn: without })).toEqual([]);
      await stage.manager.Link_Inventory_Item({ type: token, reference: serial });
      expect(await register(without, serial)).toBe(1);
    });

    it.each<[string, object, object]>([
      ['is not active', {}, { active: false }],
      ['is lost', {}, { status: 'Lost' }],
      ['TokenType', { TokenType: base64('SMS') }, {}],
      ['key', { TokenKey: base64('short') }, {}],
      ['Yubikey', { TokenType: base64('YUBIKEY') }, {}],
      ['state', { TokenState: base64('many') }, {}],
      ['TokenAlgorithm', { TokenAlgorithm: base64('MD5') }, {}],
    ])('is refused where it %s', async (words, data, more) => {
      const [dn, serial] = [await person(), await item(data, more)];
      const { reason, detail } = await refusalOf(register(dn, serial));
      expect([reason, detail]).toEqual(['invalid_params', expect.stringContaining(words)]);
      expect('dn' in (await look(serial, token))).toBe(false);
    });

    it('of nobody is not there', async () => {
      expect(await refusalOf(register(await person(), 'none'))).toEqual({
        reason: 'not_found',
        detail: "Inventory item 'OTP Token-none' does not exist",
      });
    });

    it('is a Yubikey, named by what it types', async () => {
      const yubikey = new Yubikey();
      const { key: aes, secret, public: id } = yubikey.parameters;
      const secrets = Buffer.concat([Buffer.from(aes, 'base64'), Buffer.from(secret, 'base64')]);
      await item({ TokenType: base64('YUBIKEY'), TokenKey: base64(secrets), TokenID: id });
      const dn = await person();
      const typed = yubikey.touch();
      expect(
        (
          await refusalOf(
            register(
              dn,
              typed.replace(/.$/, (letter) => (letter === 'c' ? 'b' : 'c')),
            ),
          )
        ).reason,
      ).toBe('invalid_params');
      expect(await register(dn, typed)).toBe(1);
      expect(await isIn(dn, typed)).toBe(false);
      expect(await isIn(dn, yubikey.touch())).toBe(true);
    });

    it('is an OCRA token', async () => {
      const [dn, serial] = [await person(), await item({ TokenType: base64('OCRA') })];
      await stage.manager.Set_User_Settings({
        dn,
        settings: { 'Otp.OCRASuite': 'OCRA-1:HOTP-SHA1-6:QN08' },
      });
      expect((await refusalOf(register(dn, serial, { otp: '1' }))).reason).toBe('invalid_params');
      expect(await register(dn, serial)).toBe(1);
      expect(await stage.manager.Otp.User_Tokens({ dn })).toMatchObject([{ type: 'OCRA' }]);
    });
  });

  it('gives the key of a PIV device to a user', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const dn = await stage.person(people, 'piv');
    const piv = (reference: string, PublicKey: string) =>
      stage.manager.Import_Inventory_Item({
        ...{ type: 'PIV Device', reference, description: '', data: { PublicKey } },
      });
    await piv('1', base64(spki));
    await piv('2', base64('none'));
    expect((await refusalOf(stage.manager.SshKey.PIV_Register({ dn, serial: '2' }))).reason).toBe(
      'invalid_params',
    );
    expect(await stage.manager.SshKey.PIV_Register({ dn, serial: '1' })).toBe(1);
    expect(await stage.manager.Get_User_Data({ dn, data: ['SshKey.PublicKey'] })).toEqual({
      'SshKey.PublicKey': base64(spki),
    });
    expect((await look('1', 'PIV Device')).dn).toBe(dn);
    expect('dn' in (await look('2', 'PIV Device'))).toBe(false);
  });
});

describe('a pattern', () => {
  it('stands for the same texts as a regular expression does', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 });
    const one = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 16 });
    fc.assert(
      fc.property(word, one, (pattern, text) => {
        const expected = new RegExp(`^${pattern.split('*').join('.*')}$`).test(text);
        expect(glob(pattern)(text)).toBe(expected);
      }),
      { numRuns: rounds(2000, 200_000) },
    );
  });

  it('is looked for once along the text', () => {
    expect(glob('*a'.repeat(5000))('a'.repeat(5000))).toBe(true);
    expect(glob(`${'*a'.repeat(5000)}*b`)('a'.repeat(100_000))).toBe(false);
  });
});
