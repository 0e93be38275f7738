/**
 * Oracle: people and their credentials, in plain text. It says whether a code is right, and
 * remembers which ones were used up. Nothing of the product is asked.
 */
import { createHmac } from 'node:crypto';

interface AuthenticatorBase {
  /** Stands for it where wrong values are counted. */
  readonly key: string;
  readonly digits: number;
}

export type Authenticator =
  /** `accepted`: the highest time step that logged in, of 30 s. */
  | (AuthenticatorBase & { readonly type: 'TOTP'; readonly secret: Uint8Array; accepted: number })
  /** `next`: the lowest counter that is good. */
  | (AuthenticatorBase & { readonly type: 'HOTP'; readonly secret: Uint8Array; next: number })
  | (AuthenticatorBase & {
      readonly type: 'LIST';
      readonly secret: Uint8Array;
      readonly size: number;
      used: number[];
    })
  /** `uses` that are left. */
  | (AuthenticatorBase & { readonly type: 'EMERGENCY'; readonly text: string; uses: number });

export interface Person {
  /** As everybody knows it, however it is spelled. */
  readonly name: string;
  /** Undefined: nobody has this name, and no credentials are right. */
  readonly password: string | undefined;
  readonly has: readonly Authenticator[];
  /** In seconds; 0: until an administrator unblocks. */
  readonly blockTime: number;
  readonly maxTries: number;
}

/** The preset: codes that a HOTP token may be ahead, and time steps that a TOTP token may be off. */
const [lookAhead, stepsOff] = [10, 2];

/** The number that a code stands for, if it is right and was not used up. */
export function numberOf(code: string, one: Authenticator, now: number): number | undefined {
  if (one.type === 'EMERGENCY') return one.uses > 0 && code === one.text ? one.uses : undefined;
  return candidates(one, now).find((number) => codeAt(number, one.secret, one.digits) === code);
}

function candidates(one: Exclude<Authenticator, { type: 'EMERGENCY' }>, now: number): readonly number[] {
  if (one.type === 'LIST') return range(0, one.size).filter((position) => !one.used.includes(position));
  if (one.type === 'HOTP') return range(one.next, one.next + lookAhead + 1);
  const step = Math.floor(now / 30_000);
  return range(step - stepsOff, step + stepsOff + 1).filter((number) => number > one.accepted);
}

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** Only a grant does this. */
export function useUp(one: Authenticator, number: number): void {
  if (one.type === 'TOTP') one.accepted = number;
  else if (one.type === 'HOTP') one.next = number + 1;
  else if (one.type === 'LIST') one.used.push(number);
  else one.uses -= 1;
}

export interface Reading {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
  /** It is a part of a text that may be read in other ways. */
  readonly isText?: boolean;
}

/** One text that may be a password with a code at its end: all ways to read it, the whole text as a password first. */
export function readingsOf(text: string, { has }: Person): readonly Reading[] {
  const lengths = [
    6,
    ...has.filter(({ type }) => type !== 'EMERGENCY').map(({ digits }) => digits),
    ...has.flatMap((one) => (one.type === 'EMERGENCY' && text.endsWith(one.text) ? [one.text.length] : [])),
  ];
  const split = [...new Set(lengths)].filter((length) => text.length > length);
  return [
    { password: text, isText: true },
    ...split.map((length) => ({ password: text.slice(0, -length), code: text.slice(-length), isText: true })),
  ];
}

const made = new Map<string, string>();

/** RFC 4226 §5.3; kept, because a window is looked through at every attempt. */
export function codeAt(counter: number, secret: Uint8Array, digits: number): string {
  const name = `${counter} ${digits} ${Buffer.from(secret).toString('latin1')}`;
  const known = made.get(name);
  if (known !== undefined) return known;
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const digest = createHmac('sha1', secret).update(message).digest();
  const number = digest.readUInt32BE((digest[19] ?? 0) & 15) & 0x7fffffff;
  const code = String(number % 10 ** digits).padStart(digits, '0');
  made.set(name, code);
  return code;
}
