import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { KeyRing } from './keys.ts';

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const idOf = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex').slice(0, 8);
const before = new KeyRing([older], systemRandom);
const between = new KeyRing([newer, older], systemRandom);
const after = new KeyRing([newer], systemRandom);
const plain = Buffer.from('secret');

describe('a key ring', () => {
  it('returns the id of the key of a sealed value', () => {
    expect(between.ids).toEqual([idOf(newer), idOf(older)]);
    expect(between.keyIdOf(before.seal(plain, 'here'))).toBe(idOf(older));
    expect(between.keyIdOf(between.seal(plain, 'here'))).toBe(idOf(newer));
    expect(between.keyIdOf(Buffer.from('123'))).toBeUndefined();
    expect(between.keyIdOf(Buffer.alloc(40, 7))).toBeUndefined();
  });

  it('reseals values of other keys under the first key, and returns others unchanged', () => {
    const sealed = before.seal(plain, 'here');
    const anew = between.reseal(sealed, 'here');
    expect(Buffer.from(after.open(anew, 'here'))).toEqual(plain);
    expect(between.reseal(anew, 'here')).toBe(anew);
    expect(() => between.reseal(sealed, 'there')).toThrow('does not belong where it was found');
    expect(() => after.reseal(sealed, 'here')).toThrow('under a key that is not in the ring');
  });

  it('makes the same digests with any keys when it has the digest secret', () => {
    const secret = Buffer.alloc(32, 9);
    const digests = [before, between, after].map((ring) => ring.withDigestSecret(secret).digest('a', 'x'));
    expect(new Set(digests).size).toBe(1);
    const ring = between.withDigestSecret(secret);
    expect(Buffer.from(ring.open(before.seal(plain, 'here'), 'here'))).toEqual(plain);
    expect(ring.ids).toEqual(between.ids);
  });

  it('makes different digests for another text, purpose or secret', () => {
    const ring = between.withDigestSecret(Buffer.alloc(32, 9));
    const other = between.withDigestSecret(Buffer.alloc(32, 8));
    const all = [ring.digest('a', 'x'), ring.digest('b', 'x'), ring.digest('a', 'y'), other.digest('a', 'x')];
    expect(new Set(all).size).toBe(4);
    expect(all[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('makes digests with its last key when it has no digest secret', () => {
    expect(between.digest('a', 'x')).toBe(before.digest('a', 'x'));
    expect(after.digest('a', 'x')).not.toBe(before.digest('a', 'x'));
  });
});
