/** Lenient base64 (RFC 4648 §4 and §5). */
import { ServiceError } from '../../foundation/errors/errors.ts';

/** Decodes base64. @throws ServiceError `invalid_params`: `Parameter <name> not Base64` */
export function decodeBase64(value: string, name: string): Uint8Array {
  if (value.length % 4 === 0 && canonical.test(value)) return Buffer.from(value, 'base64');
  const compact = compactBase64(value);
  if (compact === undefined) throw notBase64(name);
  return Buffer.from(compact, 'base64');
}

/** Base64 in the standard alphabet with padding, for texts whose length is a multiple of four. */
const canonical = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Decodes a binary attribute as clients in the field send it: PEM header lines and characters outside the alphabet are skipped. A text of
 * nothing else is refused.
 */
export function decodeLenientBase64(value: string, name: string): Uint8Array {
  const kept = value.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/[^A-Za-z0-9+/_-]+/g, '');
  if (kept === '' && value !== '') throw notBase64(name);
  return decodeBase64(kept, name);
}

/** Decodes the secret of a token, and refuses other encodings as {@link assertNoOtherForm} does. */
export function decodeSecret(value: string, name: string): Uint8Array {
  const bytes = decodeBase64(value, name);
  assertNoOtherForm(value, name);
  return bytes;
}

/**
 * Refuses a secret in hexadecimal or Base32, as some makers print them. As base64 it would be other bytes, and no code would ever match.
 * @param value valid base64
 * @throws ServiceError `invalid_params` naming the encoding
 */
export function assertNoOtherForm(value: string, name: string): void {
  const form = otherForm(value);
  if (form === undefined) return;
  const detail = `Parameter ${name} is ${form}, not base64: encode the bytes that it stands for in base64`;
  throw new ServiceError('invalid_params', { detail });
}

/**
 * Returns another encoding that a text is in; undefined if it may be base64. Random base64 of 24 characters has other characters, too, and
 * repetitive bytes have few different characters.
 */
function otherForm(value: string): 'hexadecimal' | 'Base32' | undefined {
  const text = value.replace(/[\s-]+/g, '').replace(/^0x/i, '');
  const letters = text.replace(/=+$/, '');
  if (letters.length < 24 || new Set(letters).size < 8) return undefined;
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return 'hexadecimal';
  const isWhole = ![1, 3, 6].includes(letters.length % 8) && (letters === text || text.length % 8 === 0);
  return isWhole && /^(?:[A-Z2-7]+|[a-z2-7]+)$/.test(letters) ? 'Base32' : undefined;
}

const notBase64 = (name: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${name} not Base64` });

export const isBase64 = (value: string): boolean => compactBase64(value) !== undefined;

/** Removes white space and padding; undefined if the text is no base64. */
function compactBase64(value: string): string | undefined {
  const written = /\s/.test(value) ? value.replace(/\s+/g, '') : value;
  const [, compact] = /^([A-Za-z0-9+/_-]*)=*$/.exec(written) ?? [];
  return compact === undefined || compact.length % 4 === 1 ? undefined : compact;
}
