/**
 * Where a code alone is wanted, a name that nobody has is challenged, refused and blocked as a user is: step by step
 * the same bytes and the same moments, over every door on both directories.
 *
 * Seen to fail with the guard taken out: in login/absent-proof.ts, let `proveSecrets` never ask.
 */
import type { FixtureOptions } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from './cast.ts';
import { openClientDoor } from './client-door.ts';
import { directories, type Ground } from './directories.ts';
import { type Answer, type Door, doors, type Fields } from './doors.ts';
import { granted, list, noSession, refused, set, totp } from './rows/row.ts';

const delay = 1000;
const config: NonNullable<FixtureOptions['config']> = {
  limits: { login_failure_delay_ms: delay },
  settings: { 'Otp.LoginMode': 'OTP' },
  clients: { closed: { mode: 'no_access' } },
};

/** What a login is answered, with how long it was kept back; a session's id only by its form. */
interface Step {
  readonly answer: Answer;
  readonly heldBack: readonly number[];
}

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let ground: Ground;
  let cast: Cast;
  let client: Awaited<ReturnType<typeof openClientDoor>>;
  beforeAll(async () => {
    ground = await directories[directory](config);
    cast = new Cast(ground);
    client = await openClientDoor(ground.service);
  });
  afterAll(async () => {
    await client.close();
    await ground.close();
  });

  /** Each time somebody whom no other test has asked for. */
  let names = 0;
  const people = async (has: readonly (readonly [string, object])[] = [totp]) => {
    names += 1;
    const user = await cast.find(`somebody ${names}`, { done: has });
    return { user, names: [user.username, `nobody-${names}`] };
  };

  async function timed(ask: () => Promise<Answer>): Promise<Step> {
    const from = ground.clock.slept.length;
    const { session, ...answer } = await ask();
    const form = session === undefined ? {} : { session: /^[A-Za-z0-9]{16}$/.test(String(session)) };
    return { answer: { ...answer, ...form }, heldBack: ground.clock.slept.slice(from) };
  }

  describe.each(Object.keys(doors))('over %s', (name) => {
    let ask: Door;
    beforeAll(() => {
      ask = name === 'the typed client' ? client.door : (doors[name]?.(ground.service) ?? client.door);
    });

    /** The same steps as another one: begins, and answers in all the ways that are wrong. */
    async function play(username: string, more: Fields = {}): Promise<readonly Step[]> {
      // The address has forgotten what others failed with.
      ground.clock.advance(60_000);
      const steps: Step[] = [];
      const step = async (turn: () => Promise<Answer>) => {
        let answer: Answer = {};
        steps.push(await timed(async () => (answer = await turn())));
        return answer;
      };
      const begun = await step(() => ask('normalLogin', { username, ...more }));
      const session = String(begun.session ?? 'A'.repeat(16));
      const reply = (fields: Fields) => step(() => ask('challenge', { username, session, ...fields }));
      await reply({});
      await reply({ otpPassword: '000000' });
      await reply({ username: username.toUpperCase(), otpPassword: '000000' });
      await reply({ username: 'another', otpPassword: '000000' });
      for (let tries = 0; tries < 5; tries += 1) await reply({ otpPassword: '12345' });
      await step(() => ask('simpleLogin', { username, ...more }));
      await step(() => ask('normalLogin', { username, otpPassword: '000000', ...more }));
      ground.clock.advance(301_000);
      await reply({ otpPassword: '000000' });
      await step(() => ask('simpleLogin', { username, ...more }));
      return steps;
    }

    it.each<[string, Fields]>([
      ['as the service has it', {}],
      ['for a shorter time', { settings: 'ChallengeTimeout=30' }],
      ['never, where the request says so', { settings: 'ChallengeMode=No' }],
      ['at a client that is closed', { client: 'closed' }],
    ])('somebody and nobody are asked and blocked alike, %s', async (_, fields) => {
      const { names } = await people();
      const [somebody = [], nobody = []] = [
        await play(names[0] ?? '', fields),
        await play(names[1] ?? '', fields),
      ];
      expect(nobody).toEqual(somebody);
      expect(somebody).toHaveLength(14);
    });

    it('so are those who have nothing that a code could be of, or are switched off', async () => {
      const { names } = await people([]);
      const off = await people([totp, set({ EnableLogin: 'No' })]);
      const nobody = await play(names[1] ?? '');
      expect(await play(names[0] ?? '')).toEqual(nobody);
      expect(await play(off.names[0] ?? '')).toEqual(nobody);
    });

    it('a session that began is there until its time is over, whosever it is', async () => {
      const { names } = await people();
      for (const username of names) {
        const { session, timeout } = await ask('simpleLogin', { username });
        const answer = { username, session: String(session), otpPassword: '000000' };
        expect(await ask('challenge', answer)).toEqual(refused);
        ground.clock.advance(Number(timeout) * 1000);
        expect(await ask('challenge', answer)).toEqual(noSession);
      }
    });

    it('the code that is asked for logs in, once', async () => {
      const { user } = await people();
      const begun = await ask('simpleLogin', { username: user.username });
      expect(begun).toMatchObject({ code: 2, otpChallenge: 'TOKEN', message: 'Enter your TOKEN password' });
      const answer = { username: user.username, session: String(begun.session), otpPassword: user.code() };
      expect([await ask('challenge', answer), await ask('challenge', answer)]).toEqual([granted, noSession]);
    });

    it('asking counts no failure, however often', async () => {
      const { user } = await people([list, set({ OTPType: 'LIST' })]);
      for (let time = 0; time < 7; time += 1)
        expect(await ask('simpleLogin', { username: user.username })).toMatchObject({ code: 2 });
      const otpPassword = await user.listCode();
      expect(await ask('normalLogin', { username: user.username, otpPassword })).toEqual(granted);
    });
  });
});

it('an address begins so many a minute, whatever source it names, and what it begins fills no event log', async () => {
  const ground = await directories['the embedded directory']({
    ...config,
    limits: { ...config.limits, challenges_per_minute: 5 },
  });
  const ask = doors['REST, POST of JSON']?.(ground.service);
  const begin = (n: number, source: string) => ask?.('simpleLogin', { username: `name ${n}`, source });
  const before = ground.events().length;
  for (let n = 0; n < 5; n += 1) expect(await begin(n, '198.51.100.1')).toMatchObject({ code: 2 });
  expect(await begin(5, '198.51.100.1')).toEqual(refused);
  expect(await begin(6, '198.51.100.2')).toEqual(refused);
  ground.clock.advance(60_000);
  expect(await begin(7, '198.51.100.1')).toMatchObject({ code: 2 });
  expect(ground.events().length).toBe(before);
  await ground.close();
});
