/** Certificates of a user, as PEM on the wire and DER on the entry. */
import { X509Certificate } from 'node:crypto';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { bytesOf } from '../../foundation/text/value.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import { decodeLenientBase64 } from '../../table/schema/base64.ts';

/**
 * Reads a certificate in PEM, or its base64 without header lines and white space.
 * @throws ServiceError `invalid_params` naming the parameter if it is invalid
 */
export function certificateOf(text: string, parameter: string): Uint8Array {
  const der = decodeLenientBase64(text, parameter);
  const { raw } = parse(der, parameter);
  // OpenSSL would read only the first of several.
  if (raw.length === der.length) return raw;
  throw wrong(`Parameter ${parameter} holds more than one X.509 certificate in one text; send a list`);
}

function parse(der: Uint8Array, parameter: string): X509Certificate {
  try {
    return new X509Certificate(der);
  } catch (cause) {
    throw wrong(`Parameter ${parameter} holds no X.509 certificate`, cause);
  }
}

const wrong = (detail: string, cause?: unknown): ServiceError =>
  new ServiceError('invalid_params', { detail, cause });

/** Writes PEM with lines of 64 columns, and no newline at the end. */
function pemOf(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}

/** Returns all certificates of an entry, expired ones, too. */
export function certificatesOf(entry: Entry, attributes: readonly string[]): readonly string[] {
  return attributes.flatMap((attribute) =>
    (entry.attributes.get(attribute.toLowerCase()) ?? []).map((value) => pemOf(bytesOf(value))),
  );
}
