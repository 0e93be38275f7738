/** Answers that no phone of the user has given: each is refused, and none keeps the user from answering afterwards. */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, Phone } from '../../../testing/bed/engines/phone.ts';
import { openPhoneStage, type PhoneStage } from '../../../testing/bed/phones/phone-stage.ts';
import { engines } from '../../../testing/bed/stage.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Knowledge of a forger: the session, what a phone has seen and said in others, and a token of their own. */
interface Loot {
  readonly session: string;
  readonly seen: Ask;
  readonly victim: Listened;
  /** Answers of the victim's phone to the same question in an earlier session. */
  readonly earlier: { readonly confirmed: Answer; readonly refused: Answer };
  readonly forger: Listened;
}

interface Listened {
  readonly username: string;
  readonly secret: Uint8Array;
  readonly phone: Phone;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** RFC 6287 §5.1 with another suite than the one that phones use. */
function respondBy(suite: string, secret: Uint8Array, question: string): string {
  const input = Buffer.concat([Buffer.from(`${suite}\0`), Buffer.from(question.padEnd(256, '0'), 'hex')]);
  return createHmac('sha256', secret).update(input).digest('hex');
}

const forgeries: Readonly<Record<string, (loot: Loot) => Answer>> = {
  'the proof of the server as the answer': ({ seen, victim }) => ({
    ...{ token: victim.phone.token, decision: 'confirm', response: seen.proof },
  }),
  'the answer of an earlier session': ({ earlier }) => earlier.confirmed,
  'a refusal of an earlier session as a confirmation': ({ earlier }) => ({
    ...earlier.refused,
    decision: 'confirm',
  }),
  'an answer by the token of somebody else': ({ forger, session, seen }) => ({
    ...{ token: forger.phone.token, decision: 'confirm' },
    response: respondBy(
      'OCRA-1:HOTP-SHA256-0:QH64',
      forger.secret,
      forger.phone.question('confirm', session, seen),
    ),
  }),
  'an answer by the token of somebody else in the name of the victim’s': ({
    forger,
    session,
    seen,
    victim,
  }) => ({
    ...{ token: victim.phone.token, decision: 'confirm', user: `Default\\${victim.username}` },
    response: respondBy(
      'OCRA-1:HOTP-SHA256-0:QH64',
      forger.secret,
      forger.phone.question('confirm', session, seen),
    ),
  }),
  'an answer by a token without a secret': ({ session, seen, victim }) => ({
    ...{ token: victim.phone.token, decision: 'confirm' },
    response: respondBy(
      'OCRA-1:HOTP-SHA256-0:QH64',
      Buffer.alloc(0),
      victim.phone.question('confirm', session, seen),
    ),
  }),
  'no answer at all': ({ victim }) => ({ token: victim.phone.token, decision: 'confirm' }),
  'digits that people type': ({ victim, session, seen }) => ({
    ...{ token: victim.phone.token, decision: 'confirm', response: victim.phone.typed(session, seen) },
  }),
  'the beginning of an answer': ({ earlier, victim }) => ({
    ...{
      token: victim.phone.token,
      decision: 'confirm',
      response: String(earlier.confirmed.response).slice(0, 8),
    },
  }),
  'an answer without a token': ({ earlier }) => ({ ...earlier.confirmed, token: '' }),
  'the digest of the question': ({ victim, session, seen }) => ({
    ...{
      token: victim.phone.token,
      decision: 'confirm',
      response: victim.phone.question('confirm', session, seen),
    },
  }),
  'an answer with a line break in its word': ({ earlier, victim }) => ({
    ...{ token: victim.phone.token, decision: 'confirm', location: '\nconfirm', key: sha256('x') },
    response: String(earlier.confirmed.response),
  }),
};

/** Bodies that are no answer: types, numbers and names that a reader may trip over. */
const malformed: Readonly<Record<string, (loot: Loot) => string>> = {
  'a response that is a list': ({ session }) =>
    JSON.stringify({ session, decision: 'confirm', response: ['x'] }),
  'a session that is a number': () => JSON.stringify({ session: 1, decision: 'confirm', response: '' }),
  'a decision of another word': ({ session }) =>
    JSON.stringify({ session, decision: 'confirmed', response: '' }),
  'a member twice': ({ session }) => `{"session":"${session}","decision":"refuse","decision":"confirm"}`,
  __proto__: ({ session }) => `{"session":"${session}","__proto__":{"decision":"confirm"}}`,
};

describe.each(engines)('the door of phones, on %s', (engine) => {
  let stage: PhoneStage;
  beforeAll(async () => {
    stage = await openPhoneStage(engine, { request_settings: ['127.0.0.1'] });
  });
  afterAll(() => stage.close());

  const post = async (body: string) => {
    const answer = await stage.ask('POST', '/otp/transaction', body);
    return { status: answer.status, ...JSON.parse(answer.body.toString()) };
  };
  const begin = async (username: string) => {
    const asked = { username, data: 'Pay 100 EUR to ACME?', async: true, issuer: 'ACME' };
    const begun = await stage.node.service.web.otp.normalConfirm(asked);
    return 'session' in begun ? (begun.session ?? '') : '';
  };
  const check = async (session: string) => (await stage.node.service.web.otp.checkConfirm({ session })).code;

  /** A user whose phone is listened to: `said` is the last body that it sent. */
  async function overheardUser() {
    const { username, dn } = await stage.person();
    const secret = randomBytes(20);
    await stage.stage.manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
    const heard: { said: Answer } = { said: {} };
    const phone = new Phone(secret, async (body) => {
      heard.said = { ...body };
      return post(JSON.stringify(body));
    });
    return { username, secret, phone, heard };
  }

  async function loot(): Promise<Loot> {
    const [victim, forger] = [await overheardUser(), await overheardUser()];
    const overhear = async (word: 'confirm' | 'refuse'): Promise<Answer> => {
      expect(await victim.phone.say(word, await begin(victim.username))).toMatchObject({ code: 1 });
      const { session: _, ...said } = victim.heard.said;
      return said;
    };
    const earlier = { confirmed: await overhear('confirm'), refused: await overhear('refuse') };
    const session = await begin(victim.username);
    const seen = await victim.phone.look(session);
    if (!seen) throw new Error('nothing is asked');
    return { session, seen, victim, earlier, forger };
  }

  it('refuses every forged answer, and takes that of the phone afterwards', async () => {
    const found = await loot();
    for (const [title, forge] of Object.entries(forgeries)) {
      const answer = await post(JSON.stringify({ session: found.session, ...forge(found) }));
      expect([title, answer.code]).toEqual([title, 0]);
      expect([title, await check(found.session)]).toEqual([title, 2]);
    }
    for (const [title, body] of Object.entries(malformed)) {
      expect([title, await post(body(found))]).toEqual([
        title,
        expect.objectContaining({ status: 400, code: 0 }),
      ]);
      expect([title, await check(found.session)]).toEqual([title, 2]);
    }
    expect(await found.victim.phone.say('confirm', found.session, found.seen)).toMatchObject({ code: 1 });
    expect(await check(found.session)).toBe(1);
  });
});
