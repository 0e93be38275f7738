import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../../test-child.ts';
import { yescryptCrypt } from './index.ts';

/** From libxcrypt's crypt(3), at Debian's cost. */
const password = 'päß';
const hash = '$y$j9T$4/DMUN4QY9xzB3QJO74He/$tKsHP98flbx4iXtH3n1xqrXlUNhVRha9mYh4iJykMH.';

describe('yescrypt', () => {
  it('is computed in threads while the event loop is free', async () => {
    let [turns, threads] = [0, 0];
    const onThread = () => {
      threads += 1;
    };
    process.on('worker', onThread);
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    const [right, wrong] = await Promise.all([yescryptCrypt(password, hash), yescryptCrypt('pass', hash)]);
    clearInterval(count);
    process.off('worker', onThread);
    expect(right).toBe(hash);
    expect(wrong).toMatch(/^\$y\$j9T\$4\/DMUN4QY9xzB3QJO74He\/\$[./0-9A-Za-z]{43}$/);
    expect(wrong).not.toBe(hash);
    expect(threads).toBe(2);
    expect(turns).toBeGreaterThan(20);
  });

  it('tries nothing that is malformed or asks for too much', async () => {
    expect(await yescryptCrypt(password, hash.replace('j9T', 'jCT'))).toBeUndefined();
    expect(await yescryptCrypt(password, '$y$j9T$')).toBeUndefined();
  });
});

describe('a build of it', () => {
  const bundles: Bundle[] = [];
  afterAll(() => Promise.all(bundles.map((built) => built.dispose())));

  it.each([
    ['has a file for the thread', { splitting: true, threads: 1 }],
    ['computes in place if it is one file', { splitting: false, threads: 0 }],
  ])('%s', async (_, { splitting, threads }) => {
    const built = await bundle('unix-crypt/yescrypt/yescrypt-child.ts', { splitting });
    bundles.push(built);
    const answer = await new Promise((resolve) => built.start(password, hash).once('message', resolve));
    expect(answer).toEqual({ computed: hash, threads });
  });
});
