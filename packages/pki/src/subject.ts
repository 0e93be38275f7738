/** Reads certificate subjects, and rejects any that other parsers could read differently. */

import type { SubjectField } from '@watchword/core/ports';
import { Set as AsnSet, IA5String, PrintableString, Sequence, Utf8String } from 'asn1js';
import type { RelativeDistinguishedNames } from 'pkijs';

/**
 * Reads the fields of a subject in their order; undefined if a relative name has several values or another string type. Accepted are
 * UTF8String, PrintableString and IA5String (RFC 5280 §4.1.2.4, for mail addresses and domain components). pkijs flattens relative names
 * of several values. Encoded again with one value each, such a subject differs from the original, and is rejected.
 */
export function readSubject({
  typesAndValues,
  valueBeforeDecode,
}: RelativeDistinguishedNames): readonly SubjectField[] | undefined {
  const parts = typesAndValues.map((one) => new AsnSet({ value: [one.toSchema()] }));
  const again = Buffer.from(new Sequence({ value: parts }).toBER());
  if (!again.equals(Buffer.from(valueBeforeDecode))) return undefined;
  const fields = typesAndValues.flatMap(({ type, value }) => {
    const text = textOf(value);
    return text === undefined ? [] : { type, value: text };
  });
  return fields.length === typesAndValues.length ? fields : undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(value: unknown): string | undefined {
  const isText =
    value instanceof Utf8String || value instanceof PrintableString || value instanceof IA5String;
  if (!isText) return undefined;
  try {
    const text = utf8.decode(value.valueBlock.valueHexView);
    // Programs in C end a name at a NUL, a line break forges lines of a log, and bidirectional controls make a name look like another.
    const isPlain =
      /^[^\p{Cc}\p{Bidi_Control}]+$/u.test(text) && (value instanceof Utf8String || /^[ -~]+$/.test(text));
    return isPlain ? text : undefined;
  } catch {
    return undefined; // not UTF-8
  }
}
