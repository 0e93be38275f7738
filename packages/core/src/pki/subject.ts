/** The fields of subjects that we vouch for (specification §2.8), by the names that people know them by. */
import type { SubjectField } from '../ports/authority.ts';

const names: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
  ['2.5.4.13', 'description'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'serialNumber'],
]);

/** The subject as RFC 4514 writes attributes, in the order of the request: for records, to be read. */
export const subjectText = (subject: readonly SubjectField[]): string =>
  subject.map(({ type, value }) => `${names.get(type) ?? type}=${value}`).join(',');

export type Fields = ReadonlyMap<string, string>;

/** Each field once, so that nobody is named twice; else what is wrong, to be read behind its name. */
export function fieldsOf(
  subject: readonly SubjectField[],
): { readonly fields: Fields } | { readonly problem: string } {
  const fields = new Map<string, string>();
  for (const { type, value } of subject) {
    const name = names.get(type);
    if (name === undefined) return { problem: `has ${type} in its subject, which nobody vouches for` };
    if (fields.has(name)) return { problem: `has ${name} twice in its subject` };
    fields.set(name, value);
  }
  return { fields };
}
