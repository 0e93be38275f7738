/** Forms as browsers send them: `application/x-www-form-urlencoded`. */
import { ServiceError } from '../errors/errors.ts';

/**
 * Fields of a form, or of a query (WHATWG URL §5.1). The standard reads what is not UTF-8 as other characters, so that a password from a
 * Latin-1 page would be a wrong one: it is refused here.
 * @throws ServiceError `parse_error`
 */
export function formFields(form: string | Uint8Array): URLSearchParams {
  const text = typeof form === 'string' ? form : decoded(form);
  // Escapes that follow one another are the bytes of whole characters.
  for (const [escapes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) refuseOther(escapes);
  return new URLSearchParams(text);
}

/** Bytes of a form that is not escaped. @throws ServiceError `parse_error` */
export function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw notUtf8();
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function refuseOther(escapes: string): void {
  try {
    decodeURIComponent(escapes);
  } catch {
    throw notUtf8();
  }
}

const notUtf8 = (): ServiceError =>
  new ServiceError('parse_error', { detail: 'the form is not in UTF-8; send it as UTF-8' });
