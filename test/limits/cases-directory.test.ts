/** Case 19 of limits.md: of strangers' wrong passwords the directory sees no more than it is told (rule 9). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { granted, minute, refused, Stage, somewhere, type User } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open({ limits: { login_failure_delay_ms: 0, directory_failures: '4/30' } });
});
afterEach(() => stage.close());

const wrongOnes = ({ dn }: User) => stage.nodes.binds.get(dn.toLowerCase())?.wrong ?? 0;
const wrong = (n: number) => ({ ldapPassword: `wrong ${n}`, otpPassword: '999999' });

describe('19. directory_failures 4/30', () => {
  it('binds at the directory are never above four in half an hour, however many ask at once', async () => {
    const user = await stage.user({ maxTries: 1000 });
    for (let round = 1; round < 4; round += 1) {
      await Promise.all(Array.from({ length: 60 }, (_, n) => stage.ask(somewhere(), user, wrong(n))));
      expect(wrongOnes(user)).toBe(4 * round);
      stage.pass(30 * minute);
    }
  });

  it('a text with several readings is bound no more often', async () => {
    const user = await stage.user({ maxTries: 1000 });
    for (let n = 0; n < 5; n += 1) await stage.text(somewhere(), user, `wrong and long ${n}`);
    expect(wrongOnes(user)).toBe(4);
  });

  it('strangers are refused then, with both right too; a known place is not', async () => {
    const [user, home] = [await stage.user({ maxTries: 1000 }), somewhere()];
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    await stage.times(4, user, { ldapPassword: 'wrong' });
    expect(await stage.ask(somewhere(), user, user.both())).toEqual(refused);
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    stage.pass(30 * minute);
    expect(await stage.ask(somewhere(), user, user.both())).toEqual(granted);
  });

  it('under a refusal it holds too', async () => {
    const user = await stage.user({ maxTries: 2 });
    for (let n = 0; n < 20; n += 1) {
      await stage.ask(somewhere(), user, wrong(n));
      stage.pass(2000);
    }
    expect(wrongOnes(user)).toBe(4);
  });
});
