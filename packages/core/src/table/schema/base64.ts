/** Base64 as callers write it (RFC 4648 §4 and §5), which is not always well. */
import { ServiceError } from '../../foundation/errors/errors.ts';

/** @throws ServiceError `invalid_params`: `Parameter <name> not Base64`. */
export function decodeBase64(value: string, name: string): Uint8Array {
  if (value.length % 4 === 0 && wellWritten.test(value)) return Buffer.from(value, 'base64');
  const compact = compactBase64(value);
  if (compact === undefined) throw notBase64(name);
  return Buffer.from(compact, 'base64');
}

/** With all its padding, where its length is a multiple of four: so is all that we write ourselves. */
const wellWritten = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * As {@link decodeBase64}, of what clients in the field send as a binary attribute: the header lines of PEM and
 * whatever is not of the alphabet, quotes too, are passed over. A text of nothing else is refused.
 */
export function gleanBase64(value: string, name: string): Uint8Array {
  const kept = value.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/[^A-Za-z0-9+/_-]+/g, '');
  if (kept === '' && value !== '') throw notBase64(name);
  return decodeBase64(kept, name);
}

/** As {@link decodeBase64}, of the secret of a token. */
export function decodeSecret(value: string, name: string): Uint8Array {
  const bytes = decodeBase64(value, name);
  assertNoOtherForm(value, name);
  return bytes;
}

/**
 * Makers print secrets of tokens in hexadecimal and in Base32 too. Their letters are letters of base64, which makes other bytes of
 * them, and no code is ever right.
 * @param value which has been decoded: what is no base64 takes long to look at
 * @throws ServiceError `invalid_params`, which names the form
 */
export function assertNoOtherForm(value: string, name: string): void {
  const form = otherForm(value);
  if (form === undefined) return;
  const detail = `Parameter ${name} is ${form}, not base64: encode the bytes that it stands for in base64`;
  throw new ServiceError('invalid_params', { detail });
}

/**
 * The form that a text is plainly in. In 24 characters and more, chance writes no base64 in these letters alone; a few letters
 * that come again and again are what base64 makes of bytes that do.
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

/** Without white space and padding; undefined if it is no base64. */
function compactBase64(value: string): string | undefined {
  const written = /\s/.test(value) ? value.replace(/\s+/g, '') : value;
  const [, compact] = /^([A-Za-z0-9+/_-]*)=*$/.exec(written) ?? [];
  return compact === undefined || compact.length % 4 === 1 ? undefined : compact;
}
