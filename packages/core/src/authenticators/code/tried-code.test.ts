import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inWave } from '../../foundation/runtime/wave.ts';
import { CodeBehind } from './tried-code.ts';

/** Somebody without any codes, which is seen when one is tried. */
function someone(see: () => void) {
  const account = {
    get authenticators() {
      see();
      return [];
    },
  };
  const view = { keys: undefined, clock: undefined };
  return { account, view, admission: { kind: 'alone', ground: 'known' }, known: undefined } as never;
}

it('is tried once the question about the password is on its way, and once', async () => {
  const seen: string[] = [];
  inWave(() => seen.push('asked'));
  const behind = new CodeBehind(
    '123456',
    someone(() => seen.push('tried')),
  );
  expect(seen).toEqual([]);
  await nextTurn();
  expect(seen).toEqual(['asked', 'tried']);
  expect(behind.tried).toMatchObject({ wrong: [] });
  expect(behind.tried).toBe(behind.tried);
  expect(seen).toEqual(['asked', 'tried']);
});

it('is tried at once where the password is known to be right before that', async () => {
  let times = 0;
  const behind = new CodeBehind(
    '123456',
    someone(() => {
      times += 1;
    }),
  );
  expect(behind.tried).toMatchObject({ wrong: [] });
  await nextTurn();
  expect(times).toBe(1);
});

it('throws for who asks what came of it, and for nobody else', async () => {
  const behind = new CodeBehind(
    '123456',
    someone(() => {
      throw new Error('cannot be read');
    }),
  );
  await nextTurn();
  expect(() => behind.tried).toThrow('cannot be read');
});
