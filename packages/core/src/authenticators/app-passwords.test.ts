import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isAppPassword, passwordFor } from './app-passwords.ts';

const secret = Buffer.alloc(32, 7).toString('base64url');

it('an application password is letters and digits, as long as wanted, the same each time, another for each client', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.constantFrom(10, 15, 20, 25, 30),
      fc.string(),
      fc.string(),
      (bytes, length, client, other) => {
        const appKey = { secret: Buffer.from(bytes).toString('base64url'), length };
        const password = passwordFor(client, appKey);
        expect(password).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
        expect(passwordFor(client.toUpperCase().toLowerCase(), appKey)).toBe(
          passwordFor(client.toUpperCase(), appKey),
        );
        expect(passwordFor(other, appKey) === password).toBe(client.toLowerCase() === other.toLowerCase());
      },
    ),
  );
});

it('every letter is as likely as any', () => {
  const seen = new Map<string, number>();
  for (let client = 0; client < 2000; client += 1)
    for (const letter of passwordFor(String(client), { secret, length: 30 }))
      seen.set(letter, (seen.get(letter) ?? 0) + 1);
  expect(seen.size).toBe(62);
  // 60,000 letters: 968 each, and no one in a lifetime sees six deviations.
  for (const count of seen.values()) expect(Math.abs(count - 968)).toBeLessThan(190);
});

it('comes from HMAC-SHA256 of the client', () => {
  const first = createHmac('sha256', Buffer.alloc(32, 7)).update('0:mail').digest();
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const expected = [...first].filter((byte) => byte < 248).map((byte) => letters[byte % 62]);
  expect(passwordFor('Mail', { secret, length: 10 })).toBe(expected.slice(0, 10).join(''));
  expect(isAppPassword(` ${expected.slice(0, 10).join('')}\n`, 'mail', { secret, length: 10 })).toBe(true);
});
