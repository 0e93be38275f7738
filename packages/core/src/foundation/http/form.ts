import { ServiceError } from '../errors/errors.ts';

/**
 * Reads `application/x-www-form-urlencoded`: a form or a query (WHATWG URL §5.1). The standard would replace characters that are not UTF-8,
 * and so change a password from a Latin-1 page: such forms are refused.
 * @throws ServiceError `parse_error` for a form that is not UTF-8
 */
export function formFields(form: string | Uint8Array): URLSearchParams {
  const text = typeof form === 'string' ? form : decoded(form);
  // A run of escapes holds the bytes of whole characters.
  for (const [escapes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) refuseOther(escapes);
  return new URLSearchParams(text);
}

/** Decodes UTF-8. @throws ServiceError `parse_error` */
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
