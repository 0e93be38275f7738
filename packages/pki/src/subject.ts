/** Subjects, read so that nobody else reads another name in them. */

import type { SubjectField } from '@watchword/core/ports';
import { Set as AsnSet, IA5String, PrintableString, Sequence, Utf8String } from 'asn1js';
import type { RelativeDistinguishedNames } from 'pkijs';

/**
 * The fields in their order; undefined if it is not written as RFC 5280 wants it, one value in each part, as
 * UTF8String or PrintableString. pkijs flattens a part of several values; written again, one in each, the subject has
 * to be what it was.
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
    // A NUL ends a name for readers in C, a line break forges one for readers of logs, and a change of direction for all.
    const isPlain =
      /^[^\p{Cc}\p{Bidi_Control}]+$/u.test(text) && (value instanceof Utf8String || /^[ -~]+$/.test(text));
    return isPlain ? text : undefined;
  } catch {
    return undefined; // no UTF-8
  }
}
