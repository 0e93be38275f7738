/** Names without a user are answered as users are, in all modes, and fill nothing (docs/concepts/login.md#decoy). */
import { afterEach, describe, expect, it } from 'vitest';
import { atOnce, minute, Stage, somewhere } from './stage.ts';

let stage: Stage;
afterEach(() => stage.close());

const wrong = [
  { ldapPassword: 'wrong' },
  { otpPassword: '999999' },
  { ldapPassword: 'wrong', otpPassword: '999999' },
  { anyPassword: 'a wrong text' },
  {},
];

describe.each(['LDAP', 'OTP', 'LDAPOTP'] as const)('15. mode %s', (mode) => {
  it.each(wrong)(
    'a name that nobody has is answered with %o as a user is, again and again',
    async (fields) => {
      stage = await Stage.open({ ...atOnce, settings: { 'Otp.LoginMode': mode } });
      const user = await stage.user({ mode });
      const [own, others] = [somewhere(), somewhere()];
      const operation = 'anyPassword' in fields ? 'SimpleLogin' : 'NormalLogin';
      const answers = async (name: string, peer: typeof own) => {
        const { session: _, ...result } = await stage.ask(peer, { name }, fields, operation);
        return result;
      };
      for (let n = 0; n < 130; n += 1) {
        expect(await answers('nobody', others), `attempt ${n}`).toEqual(await answers(user.name, own));
        stage.pass(n % 7 === 0 ? 30 * minute : 3000);
      }
    },
  );

  it('a place pays the same for both', async () => {
    stage = await Stage.open({ ...atOnce, settings: { 'Otp.LoginMode': mode } });
    const user = await stage.user({ mode });
    const probe = await stage.user({ mode: 'LDAP' });
    const right = { ldapPassword: probe.password };
    for (const count of [6, 28, 29, 30, 31, 40]) {
      const [own, others] = [somewhere(), somewhere()];
      for (let n = 0; n < count; n += 1) {
        await stage.ask(others, { name: 'nobody' }, { ldapPassword: 'wrong', otpPassword: '999999' });
        await stage.ask(own, user, { ldapPassword: 'wrong', otpPassword: '999999' });
        stage.pass(1000);
      }
      const left = [await stage.ask(others, probe, right), await stage.ask(own, probe, right)];
      expect(left[0], `after ${count}`).toEqual(left[1]);
    }
  });
});

describe('15. a million names', () => {
  it('are as many as there are slots: the state of a name is its slot’s', async () => {
    stage = await Stage.open(atOnce, { slots: 8 });
    const sizeAfter = async (count: number) => {
      for (let n = 0; n < count; n += 1)
        await stage.ask(somewhere(), { name: `nobody${n}` }, { ldapPassword: 'wrong' });
      return stage.nodes.store.size;
    };
    const few = await sizeAfter(200);
    expect(await sizeAfter(2000)).toBe(few);
    expect(few).toBeLessThanOrEqual(8 * 4);
  });
});
