/** Time-based one-time passwords (RFC 6238). */
import { createHmac } from 'node:crypto';

export interface Token {
  /** Base32 (RFC 4648 §6). */
  readonly secret: string;
  readonly algorithm: 'SHA1' | 'SHA256' | 'SHA512';
  readonly digits: number;
  /** Seconds that a code is shown for. */
  readonly period: number;
}

/** The code of a moment, in milliseconds since 1970. */
export function codeAt({ secret, algorithm, digits, period }: Token, moment: number): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(moment / 1000 / period)));
  const digest = createHmac(algorithm, decodeBase32(secret)).update(step).digest();
  // RFC 4226 §5.3: the last four bits say where the number begins; its sign is left out.
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Until another code is shown, rounded up. */
export const secondsLeft = ({ period }: Token, moment: number): number =>
  period - (Math.floor(moment / 1000) % period);

export function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
