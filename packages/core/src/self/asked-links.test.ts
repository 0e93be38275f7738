/** Links that people ask for by a name: who gets none, and which factor is shown before a password is set. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mail, Sms } from '../ports/sending/sender.ts';
import { KeptSender } from '../sending/testing/kept-sender.ts';
import { SecurityKey } from '../testing/engines/security-key.ts';
import type { Fixture } from '../testing/fixture.ts';
import { engines, openStage, type Stage } from '../testing/stage.ts';
import { type Opened, open } from './testing/pages.ts';

const party = { id: 'localhost', origins: ['https://localhost:8443'] };
const settings = { 'Otp.PasswordReset': 'Yes' } as const;
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
  /** What a device is asked to sign by a page; empty: none is. */
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
      const { token = '' } = first.fields;
      const asked = await open(node, link, { form: { token, send: 'yes' } });
      expect(asked.headers['content-security-policy']).toMatch(/script-src 'sha256-/);
      const challenge = challengeOn(asked);
      const answer = (key: SecurityKey) =>
        open(node, link, { form: { ...asked.fields, u2fResponse: key.sign(challenge) } });
      expect((await answer(stolen)).text).toContain('was not right');
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
