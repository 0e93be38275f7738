/**
 * Determines the owner of a certificate by the subject of its request. A user's: CN `<domain>\<username>`, UID and DC with the same,
 * description `USER`. An administrator's: CN a DN, description `ADMIN`. A calling system's: CN its own name, description `CLIENT`, or none
 * if the CN is a host name. Place and organisation may be added. Other fields are refused, as a signature would confirm unchecked values,
 * such as a mail address.
 */

import { isClientName } from '../../config/values.ts';
import type { Domains } from '../../directory/domain.ts';
import { onEntry } from '../../directory/entry/entry.ts';
import { entryIdentifier } from '../../directory/entry/identifier.ts';
import { findUser } from '../../directory/entry/user.ts';
import type { Memberships } from '../../directory/groups/memberships.ts';
import type { EntryView } from '../../directory/view.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { SubjectField } from '../../ports/authority.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { CertificateOwner } from '../../ports/store/certificate-records.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';
import { assertConfirmed, type ConfirmingView } from './auto-confirm.ts';
import { type CertificateKind, fieldsOf, kindOf, type SubjectFields } from './subject.ts';

/** Entries that certificates are for, and what an administrator may do with them. */
export interface OwnerContext extends EntryView {
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
}

/** ... and how users are found by what a certificate says of them. */
export interface OwnerLookupContext extends OwnerContext {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
  readonly domains: Pick<Domains, 'get'>;
  readonly memberships: Memberships;
  readonly store: ConfirmingView['store'];
  readonly transaction: ConfirmingView['transaction'];
  readonly names: ConfirmingView['names'];
}

/**
 * @throws ServiceError `invalid_params` if the subject is of no such kind, `not_found` if its owner is not there,
 * `permission_denied` if the caller may not have it signed
 */
export async function ownerOf(
  subject: readonly SubjectField[],
  call: OwnerLookupContext,
): Promise<CertificateOwner> {
  const { kind, fields } = readFields(subject);
  if (kind === 'CLIENT') {
    const client = clientOf(fields.get('CN'));
    await assertConfirmed(subject, call);
    return { client };
  }
  const dn = kind === 'USER' ? await userOf(fields, call) : administratorOf(fields.get('CN'), call);
  await assertAdministersOwner(dn, call);
  return { owner: dn.format(), entry: await entryIdentifier(dn, call) };
}

/**
 * Checks that the caller may write certificates of the entry, before it gets or revokes one.
 * @throws ServiceError `permission_denied`, `not_found`
 */
export async function assertAdministersOwner(dn: Dn, view: Omit<EntryView, 'server'>): Promise<void> {
  const [attribute = 'userCertificate'] = view.config.schema.certificate_attributes;
  await onEntry('update', dn, () => view.directory.assertWritable(dn, attribute));
}

const cure =
  'write CN=<domain>\\<username>, UID, DC and description=USER for a user, CN=<DN> and description=ADMIN for an ' +
  'administrator, CN=<name> and description=CLIENT for a calling system';
const invalidSubject = (what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter request ${what}; ${cure}` });

function readFields(subject: readonly SubjectField[]): {
  readonly kind: CertificateKind;
  readonly fields: SubjectFields;
} {
  const read = fieldsOf(subject);
  if ('problem' in read) throw invalidSubject(read.problem);
  const { fields } = read;
  const kind = kindOf(fields);
  const isLogin = fields.has('UID') || fields.has('DC');
  if (kind === undefined || (kind !== 'USER' && isLogin))
    throw invalidSubject('is neither for a user, nor for an administrator or a calling system');
  return { kind, fields };
}

async function userOf(fields: SubjectFields, view: OwnerLookupContext): Promise<Dn> {
  const [username, domain] = [fields.get('UID'), fields.get('DC')];
  if (username === undefined || domain === undefined || fields.get('CN') !== `${domain}\\${username}`)
    throw invalidSubject('has a CN, UID and DC that do not say the same');
  const where = {
    domain: view.domains.get(domain),
    schema: view.config.schema,
    memberships: view.memberships,
  };
  return findUser(view.directory, { username, ...where });
}

function administratorOf(name: string | undefined, call: Pick<OwnerContext, 'rights'>): Dn {
  const dn = name === undefined ? undefined : Dn.tryParse(name);
  if (!dn || dn.isRoot) throw invalidSubject('has a CN that is not a DN');
  assertSuperAdmin(call, 'have a certificate of an administrator signed');
  return dn;
}

function clientOf(name: string | undefined): string {
  if (name === undefined || !isClientName(name))
    throw invalidSubject('has a CN that is not the name of a client');
  return name;
}
