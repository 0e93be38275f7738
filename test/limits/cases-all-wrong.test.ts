/** The daily quota after many combined proofs that are all wrong (docs/concepts/limits.md#combined-proof), which takes its time. */
import { expect, it } from 'vitest';
import { granted, Stage, somewhere } from './stage.ts';

it('5. 10,000 that are all wrong change nothing', { timeout: 600_000 }, async () => {
  const stage = await Stage.open();
  const user = await stage.user();
  // Trusted and without a source: no counter of a place keeps them from being judged.
  await stage.times(
    10_000,
    user,
    { ldapPassword: 'wrong', otpPassword: '999999' },
    { address: '192.0.2.10' },
  );
  expect(await stage.ask(somewhere(), user, user.both())).toEqual(granted);
  await stage.close();
});
