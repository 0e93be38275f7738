/** Links that people ask for by a name: who gets none, and which factor is shown before a password is set. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { KeptSender } from '../../messaging/testing/kept-sender.ts';
import type { Mail, Sms } from '../../ports/sending/sender.ts';
import { SecurityKey } from '../../testing/bed/engines/security-key.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { engines, openStage, type Stage } from '../../testing/bed/stage.ts';
import { type Opened, open } from './testing/pages.ts';

const party = { id: 'localhost', origins: ['https://localhost:8443'] };
const settings = {
  'Otp.PasswordReset': 'Yes',
  'Otp.SelfRegister': 'Yes',
  'SshKey.SelfRegister': 'Yes',
} as const;
const [chiefs, helpers, phones] = ['chiefs', 'helpers', 'phones'].map(
  (name) => `cn=${name},dc=example,dc=org`,
) as [string, string, string];

describe.each(engines)('a link that is asked for by a name: %s', (engine) => {
  const [mail, sms] = [new KeptSender<Mail>(), new KeptSender<Sms>()];
  let stage: Stage;
  let node: Fixture;
  let lenient: Fixture;
  let manager: Stage['manager'];
  let people: string;
  beforeAll(async () => {
    stage = await openStage(engine);
    const role = { members: [helpers], methods: ['Who_Am_I'], subtrees: [stage.base] };
    const bySms = { group: phones, settings: { 'Otp.OTPType': 'SMS' } };
    const config = {
      ...{ settings, relying_party: party, roles: { helpdesk: role } },
      ...{ super_admins: [stage.credentials.username, chiefs], clients: { PwReset: { groups: [bySms] } } },
    };
    const ports = () => ({ ...stage.ports, senders: { mail, sms } });
    node = await stage.node({ config, ports });
    lenient = await stage.node({ config: { ...config, reset_links_for_administrators: true }, ports });
    manager = await stage.enter({ config, ports });
    people = await stage.container();
    for (const group of [chiefs, helpers, phones])
      await stage.manager.Create_LDAP_Object({
        dn: group,
        attrs: { objectclass: 'groupOfNames', cn: group.slice(3).split(',')[0] ?? '', member: people },
      });
  });
  afterAll(async () => {
    for (const one of [node, lenient]) await one.close();
    await stage.close();
  });

  let number = 0;
  async function person(more: Record<string, string> = {}, own: Record<string, string> = {}) {
    number += 1;
    const username = `asked${number}-${engine.toLowerCase()}`;
    const mailbox = `${username}@example.com`;
    const attributes = { userpassword: 'Correct-Horse-7', mail: mailbox, ...more };
    const dn = await stage.person(people, username, attributes);
    if (Object.keys(own).length > 0) await manager.Set_User_Settings({ dn, settings: own });
    return { username, dn, mailbox };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  const join = (member: string, dn: string) =>
    stage.manager.Set_User_Attrs({ dn, attrs: { member }, values: true });

  async function ask({ username }: Person, at = node): Promise<void> {
    number += 1;
    const address = `203.0.113.${number}`;
    const { text } = await open(at, '/webapps/pwreset', { form: { username }, address });
    expect(text).toContain('If there is such a user');
  }
  async function linkTo({ mailbox }: Person): Promise<string> {
    await mail.until(() => mail.taken.some(({ to }) => to === mailbox));
    const last = mail.taken.findLast(({ to }) => to === mailbox);
    return /https:\S+token=\w+/.exec(last?.text ?? '')?.[0] ?? '';
  }
  const device = () => new SecurityKey({ rpId: party.id, origin: party.origins[0] ?? '', hasCounter: true });
  async function register({ dn }: Person, key: SecurityKey): Promise<void> {
    const random = randomBytes(32).toString('base64url');
    const response = Buffer.from(key.register(random)).toString('base64url');
    const { result, error } = await node.call(
      'Otp.FIDO_Register',
      { dn, response, random },
      { as: stage.credentials },
    );
    expect([result, error?.data]).toEqual([1, undefined]);
  }
  /** Returns the challenge that a page sends to a device; empty: none. */
  function challengeOn({ fields, text }: Opened): string {
    const [, asked = ''] = /name="device" value="([^"]*)"/.exec(text) ?? [];
    expect(fields.session).toMatch(/^\w{16}$/);
    return asked === '' ? '' : JSON.parse(asked.replaceAll('&#34;', '"')).challenge;
  }

  it.each<[string, (one: Person) => Promise<unknown>]>([
    ['a super administrator', ({ dn }) => join(dn, chiefs)],
    ['a member of a group that has a role', ({ dn }) => join(dn, helpers)],
  ])('does not go to %s, unless the configuration says so', async (_, promote) => {
    const [chief, other] = [await person(), await person()];
    await promote(chief);
    await ask(chief);
    await ask(other);
    expect(await linkTo(other)).not.toBe('');
    expect(mail.taken.filter(({ to }) => to === chief.mailbox)).toEqual([]);
    await ask(chief, lenient);
    expect(await linkTo(chief)).not.toBe('');
  });

  const promotions: readonly [string, string][] = [
    ['super_admins', chiefs],
    ['a role', helpers],
  ];
  const sent = {
    'asked for by name': async (one: Person) => {
      await ask(one);
      return linkTo(one);
    },
    'to set a password': ({ username }: Person) => manager.PwReset.Send_Request({ username, method: 'NONE' }),
    'to register a token': ({ username }: Person) =>
      manager.SelfReg.Send_Request({ username, method: 'NONE' }),
  };
  async function expectEnded(link: string, fields: Readonly<Record<string, string>>): Promise<void> {
    const entered = { ...fields, password: 'Battery-Staple-8', again: 'Battery-Staple-8' };
    expect((await open(node, link)).status).toBe(404);
    expect((await open(node, link, { form: entered })).status).toBe(404);
  }

  describe.each(promotions)('a promotion by %s', (_, group) => {
    it.each(Object.entries(sent))('ends a link %s', async (_, send) => {
      const one = await person();
      const link = await send(one);
      const { status, fields } = await open(node, link);
      expect(status).toBe(200);
      await join(one.dn, group);
      await expectEnded(link, fields);
      expect((await node.ports.directory.authenticate(Dn.parse(one.dn), 'Battery-Staple-8')).granted).toBe(
        false,
      );
    });

    it('leaves a link that was asked for by name where the configuration lets administrators ask', async () => {
      const one = await person();
      const link = await sent['asked for by name'](one);
      await join(one.dn, group);
      expect((await open(lenient, link)).status).toBe(200);
    });
  });

  it('leaves a link of an administrator with as many rights, and ends it with more', async () => {
    const one = await person();
    await join(one.dn, helpers);
    const link = await sent['to set a password'](one);
    const { status, fields } = await open(node, link);
    expect(status).toBe(200);
    await join(one.dn, chiefs);
    await expectEnded(link, fields);
    expect((await open(node, await sent['to set a password'](one))).status).toBe(200);
  });

  const endings: readonly [string, Record<string, string>][] = [
    ['is switched off', { 'Otp.EnableLogin': 'No' }],
    ['is past ValidTo', { 'Otp.ValidTo': '2001-01-01 00:00:00' }],
  ];
  describe.each(endings)('a user who %s', (_, own) => {
    it.each(Object.entries(sent))('has no open link %s', async (_, send) => {
      const one = await person();
      const link = await send(one);
      const { status, fields } = await open(node, link);
      expect(status).toBe(200);
      await manager.Set_User_Settings({ dn: one.dn, settings: own });
      await expectEnded(link, fields);
    });

    it('is sent no link by name, and registers an SSH key by one', async () => {
      const [off, other] = [await person({}, own), await person()];
      await ask(off);
      await ask(other);
      expect(await linkTo(other)).not.toBe('');
      expect(mail.taken.filter(({ to }) => to === off.mailbox)).toEqual([]);
      const { username } = off;
      const request = { username, method: 'NONE', application: 'SshKey' } as const;
      const link = await manager.SelfReg.Send_Request(request);
      expect((await open(node, link)).status).toBe(200);
      const ofSsh = Object.fromEntries(
        Object.entries(own).map(([name, value]) => [name.replace('Otp', 'SshKey'), value]),
      );
      await manager.Set_User_Settings({ dn: off.dn, settings: ofSsh });
      expect((await open(node, link)).status).toBe(404);
    });
  });

  it('opens for a user who is off in one of two applications that let the password be reset', async () => {
    const one = await person({}, { 'Otp.EnableLogin': 'No', 'SshKey.PasswordReset': 'Yes' });
    expect((await open(node, await sent['to set a password'](one))).status).toBe(200);
  });

  it.each([
    ['SMS', 'SMS', {}],
    ['MAILSMS', 'SMS', {}],
    ['MAIL', 'MAIL', {}],
    ['MAIL', 'TOKEN', { 'Otp.OTPFallback': 'MAIL' }],
  ])(
    'goes by %s to no user whose codes come by %s, and to one who logs in without',
    async (way, type, more) => {
      const own = { 'PwReset.LinkMode': way, 'Otp.OTPType': type, ...more };
      const one = await person({ mobile: '+491512345681' }, own);
      const number = { mobile: '+491512345682' };
      const other = await person(number, { ...own, 'Otp.LoginMode': 'LDAP' });
      const before = { mails: mail.taken.length, sms: sms.taken.length };
      await ask(one);
      await ask(other);
      const since = () => [
        ...mail.taken.slice(before.mails).map(({ to }) => to),
        ...sms.taken.slice(before.sms).map(({ to }) => to),
      ];
      const [box, phone] = [way === 'SMS' ? sms : mail, way === 'SMS' ? number.mobile : other.mailbox];
      await box.until(() => since().includes(phone));
      expect(since()).not.toContain(one.mailbox);
      expect(since()).not.toContain('+491512345681');
    },
  );

  it('sends no code by SMS for a link that went by mail and by SMS', async () => {
    const one = await person({ mobile: '+491512345683' }, { 'Otp.OTPType': 'SMS' });
    const { username } = one;
    const link = await manager.PwReset.Send_Request({ username, method: 'MAILSMS', mfa: true });
    const isIt = ({ to }: Sms) => to === '+491512345683';
    await sms.until(() => sms.taken.some(isIt));
    const { token = '' } = (await open(node, link)).fields;
    const asked = await open(node, link, { form: { token, send: 'yes' } });
    expect([asked.fields.session, sms.taken.filter(isIt).length]).toEqual([undefined, 1]);
  });

  it.each(['LDAPU2F', 'LDAPOTP', 'LDAP'])(
    'wants the device of who has nothing else, in mode %s',
    async (mode) => {
      const one = await person({}, { 'Otp.LoginMode': mode });
      const [own, stolen] = [device(), device()];
      await register(one, own);
      await ask(one);
      const link = await linkTo(one);
      const first = await open(node, link);
      expect(first.text).not.toContain('name="password"');
      const takesCode = mode !== 'LDAPU2F';
      expect(first.text.includes('name="code"')).toBe(takesCode);
      expect(first.text.includes('Send me a code')).toBe(takesCode);
      const { token = '' } = first.fields;
      const asked = await open(node, link, { form: { token, send: 'yes' } });
      expect(asked.headers['content-security-policy']).toMatch(/script-src 'sha256-/);
      const challenge = challengeOn(asked);
      const answer = (key: SecurityKey) =>
        open(node, link, { form: { ...asked.fields, u2fResponse: key.sign(challenge) } });
      const refused = await answer(stolen);
      expect(refused.text).toContain('was not right');
      expect(refused.text.includes('name="code"')).toBe(takesCode);
      expect((await answer(own)).text).toContain('name="password"');
    },
  );

  it('takes no code in place of the device where the login mode wants it', async () => {
    const one = await person({}, { 'Otp.LoginMode': 'LDAPU2F' });
    await register(one, device());
    const code = String(await stage.manager.Otp.Emerg_Register({ dn: one.dn, expires: 3600 }));
    await ask(one);
    const link = await linkTo(one);
    const { token = '' } = (await open(node, link)).fields;
    const shown = await open(node, link, { form: { token, code } });
    expect(challengeOn(shown)).not.toBe('');
    expect(shown.text).not.toContain('name="code"');
    const { session = '' } = shown.fields;
    expect((await open(node, link, { form: { token, session, code } })).text).toContain('was not right');
  });

  it('wants a code by SMS of who has a number, and sends none by mail', async () => {
    const one = await person(
      { mobile: '+491512345678' },
      { 'Otp.OTPType': 'MAIL', 'Otp.OTPFallback': 'SMS' },
    );
    await ask(one);
    const link = await linkTo(one);
    const first = await open(node, link);
    expect(first.text).not.toContain('name="password"');
    const mails = mail.taken.length;
    const asked = await open(node, link, { form: { token: first.fields.token ?? '', send: 'yes' } });
    const codeIn = () => sms.taken.map(({ text }) => /\b(\d{6})\b/.exec(text)?.[1] ?? '').at(-1) ?? '';
    await sms.until(() => codeIn() !== '');
    expect(mail.taken).toHaveLength(mails);
    const next = await open(node, link, { form: { ...asked.fields, code: codeIn() } });
    expect(next.text).toContain('name="password"');
  });

  it('wants a code by SMS of a user whose group is sent codes so by the policy of the page', async () => {
    const [member, other] = [
      await person({ mobile: '+491512345679' }),
      await person({ mobile: '+491512345670' }),
    ];
    await join(member.dn, phones);
    for (const one of [member, other]) await ask(one);
    expect((await open(node, await linkTo(member))).text).not.toContain('name="password"');
    expect((await open(node, await linkTo(other))).text).toContain('name="password"');
  });
});
