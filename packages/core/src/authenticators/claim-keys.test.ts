import { expect, it } from 'vitest';
import { claimKey, tokenKey, totpClaimOf } from './claim-keys.ts';
import { hotpToken, keys, secret, totpToken } from './testing/holder.ts';

it('makes one key of a secret, whatever array its bytes are in', () => {
  const padded = new Uint8Array([0, ...secret, 0]);
  const key = tokenKey(totpToken, keys);
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(tokenKey({ type: 'TOTP', secret: Uint8Array.from(secret) }, keys)).toBe(key);
  expect(tokenKey({ type: 'TOTP', secret: padded.subarray(1, -1) }, keys)).toBe(key);
  expect(tokenKey({ type: 'TOTP', secret: padded }, keys)).not.toBe(key);
  expect(tokenKey({ type: 'HOTP', secret }, keys)).not.toBe(key);
});

it('reads the token and the time step from a claim of TOTP alone', () => {
  const rules = { period: 60 };
  const token = tokenKey(totpToken, keys);
  expect(totpClaimOf(claimKey(totpToken, rules, keys))).toEqual({ token, period: 60 });
  expect(totpClaimOf(claimKey(hotpToken, rules, keys))).toBeUndefined();
  expect(totpClaimOf(`list:${token}:60`)).toBeUndefined();
});
