/** The fields of certificate subjects that our authority signs, by their usual names. */
import type { SubjectField } from '../../ports/authority.ts';

const names: ReadonlyMap<string, string> = new Map([
  ['2.5.4.3', 'CN'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  ['0.9.2342.19200300.100.1.25', 'DC'],
  ['2.5.4.13', 'description'],
  ['2.5.4.4', 'SN'],
  ['2.5.4.5', 'serialNumber'],
]);

/**
 * Descriptive fields of requests (RFC 5280 §4.1.2.4): place, organisation and given names. Nobody logs in by them, so they are copied as
 * they are. A mail address is none: mail programs take a signature for its owner's.
 */
const descriptive: ReadonlyMap<string, string> = new Map([
  ['2.5.4.6', 'C'],
  ['2.5.4.7', 'L'],
  ['2.5.4.8', 'ST'],
  ['2.5.4.9', 'street'],
  ['2.5.4.10', 'O'],
  ['2.5.4.11', 'OU'],
  ['2.5.4.17', 'postalCode'],
  ['2.5.4.42', 'givenName'],
  ['2.5.4.43', 'initials'],
]);

/** The subject as RFC 4514 writes attributes, in the order of the request: for records, to be read. */
export const subjectText = (subject: readonly SubjectField[]): string =>
  subject.map(({ type, value }) => `${names.get(type) ?? descriptive.get(type) ?? type}=${value}`).join(',');

export type SubjectFields = ReadonlyMap<string, string>;

/** Returns the naming fields, each once, so that no subject names two users; else its fault, to be read after its name. */
export function fieldsOf(
  subject: readonly SubjectField[],
): { readonly fields: SubjectFields } | { readonly problem: string } {
  const fields = new Map<string, string>();
  for (const { type, value } of subject) {
    if (descriptive.has(type)) continue;
    const name = names.get(type);
    if (name === undefined) return { problem: `has ${type} in its subject, which nobody vouches for` };
    if (fields.has(name)) return { problem: `has ${name} twice in its subject` };
    fields.set(name, value);
  }
  return { fields };
}

/** Whom a certificate is for, or ours: a calling system. */
export type CertificateKind = 'USER' | 'ADMIN' | 'CLIENT';

const kinds: readonly CertificateKind[] = ['USER', 'ADMIN', 'CLIENT'];

/** The kind that `description` says. Without a description, the name of a host that names nobody else is a calling system’s. */
export function kindOf(fields: SubjectFields): CertificateKind | undefined {
  const said = fields.get('description');
  if (said !== undefined) return kinds.find((kind) => kind === said);
  const isAlone = [...fields.keys()].every((name) => name === 'CN' || name === 'serialNumber');
  return isAlone && hostName.test(fields.get('CN') ?? '') ? 'CLIENT' : undefined;
}

const hostName = /^[a-z0-9](?:[a-z0-9._:-]*[a-z0-9])?$/i;
