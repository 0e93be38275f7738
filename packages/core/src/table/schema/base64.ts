/** Base64 as callers write it (RFC 4648 §4 and §5), which is not always well. */
import { ServiceError } from '../../errors/errors.ts';

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
 * whatever is not of the alphabet, quotes too, are passed over (catalogue.md §7.5). A text of nothing else is refused.
 */
export function gleanBase64(value: string, name: string): Uint8Array {
  const kept = value.replace(/-----[A-Z0-9 ]+-----/g, '').replace(/[^A-Za-z0-9+/_-]+/g, '');
  if (kept === '' && value !== '') throw notBase64(name);
  return decodeBase64(kept, name);
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
