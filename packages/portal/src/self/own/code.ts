/**
 * Codes of a token that is being set up, judged where its secret was made: in this page. So a wrong clock or a wrong secret is
 * seen before anything is registered, and the code is not used up for a login.
 */
import type { Bytes } from '../../api/base64.ts';

export interface CodeShape {
  readonly digits: number;
  /** Seconds. */
  readonly period: number;
}

/** As the URI of a token tells it (Key URI Format of Google Authenticator). */
export function shapeOf(uri: string): CodeShape {
  const given = new URL(uri).searchParams;
  return { digits: Number(given.get('digits') ?? 6), period: Number(given.get('period') ?? 30) };
}

/** RFC 4226 §5.3. */
export async function digitsAt(secret: Bytes, counter: number, digits: number): Promise<string> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  const message = new DataView(new ArrayBuffer(8));
  message.setBigUint64(0, BigInt(counter));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, message));
  const offset = mac.getUint8(19) & 0x0f;
  const number = mac.getUint32(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** RFC 6238 §5.2: clocks may be one step apart. */
export async function isCodeOfNow(
  secret: Bytes,
  shown: string,
  { digits, period }: CodeShape,
): Promise<boolean> {
  const step = Math.floor(Date.now() / 1000 / period);
  const near = await Promise.all([-1, 0, 1].map((drift) => digitsAt(secret, step + drift, digits)));
  return near.includes(shown);
}

/** How far a device may have been used before it is registered. */
const window = 100;

/** The counter after the one of a code; undefined: it is none of the first. */
export async function counterAfter(secret: Bytes, shown: string): Promise<number | undefined> {
  for (let counter = 0; counter < window; counter += 1)
    if ((await digitsAt(secret, counter, shown.length)) === shown) return counter + 1;
  return undefined;
}
