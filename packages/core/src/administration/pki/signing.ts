/** The certificate methods of administrators: sign, store, revoke and list certificates. */

import type { ServiceConfig } from '../../config/config.ts';
import { isClientName } from '../../config/values.ts';
import { entryIdentifier } from '../../directory/entry/identifier.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { CertificateAuthority } from '../../ports/authority.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  CertificateRecord,
  CertificateRecords,
  OwnerKey,
} from '../../ports/store/certificate-records.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';
import { assertAdministersOwner, type OwnerContext, type OwnerLookupContext, ownerOf } from './owner.ts';
import { statusAddresses } from './status-addresses.ts';
import { subjectText } from './subject.ts';

/** The records of issued certificates, and their owners. */
export interface CertificateView extends OwnerContext {
  readonly certificates: CertificateRecords;
  readonly clock: Pick<Clock, 'now'>;
}

/** The authority, and the addresses of its lists. */
export interface SigningView extends CertificateView, OwnerLookupContext {
  readonly authority: CertificateAuthority;
  readonly config: Pick<ServiceConfig, 'schema' | 'manager_url'>;
  readonly server: OwnerLookupContext['server'];
}

/** The name of a certificate. */
export type CertificateSummary = Pick<CertificateRecord, 'serial' | 'subject'>;

/**
 * Signs a request. The certificate is on record before anybody has it.
 * @param days how long it is valid
 * @throws ServiceError `invalid_params`, `not_found`, `permission_denied`, as `ownerOf` and the authority do
 */
export async function signRequest(
  request: string,
  days: number,
  call: SigningView,
): Promise<CertificateSummary & { readonly pem: string }> {
  const { authority, certificates, clock, config } = call;
  const read = await authority.read(request);
  const owner = await ownerOf(read.subject, call);
  const { listUrl, statusUrl } = statusAddresses(config.manager_url);
  const { pem, serial, notAfter } = await authority.issue(read, { days, listUrl, statusUrl });
  const name = { serial, subject: subjectText(read.subject) };
  await certificates.add({ ...name, ...owner, notAfter, issued: clock.now() });
  return { ...name, pem };
}

/**
 * Revokes a certificate for good; not `revoked` if it was already.
 * @param serial hexadecimal, with colons or without
 * @throws ServiceError `not_found` if it was not issued here; `permission_denied`
 */
export async function revokeCertificate(
  serial: string,
  call: CertificateView,
): Promise<CertificateSummary & { readonly revoked: boolean }> {
  const { certificates, clock } = call;
  const record = await certificates.find(serial.replaceAll(':', '').toLowerCase());
  if (!record)
    throw new ServiceError('not_found', { detail: 'No certificate of this serial number was signed here' });
  await assertMayRevoke(record, call);
  const revoked = await certificates.revoke(record.serial, clock.now());
  return { serial: record.serial, subject: record.subject, revoked };
}

/** Checks the right to revoke: that of changing the owner; for a deleted or moved one, and for a system, a super administrator's. */
async function assertMayRevoke(record: CertificateRecord, call: OwnerContext): Promise<void> {
  if ('client' in record) return assertSuperAdmin(call, 'revoke a certificate of a calling system');
  const dn = Dn.parse(record.owner);
  try {
    if ((await entryIdentifier(dn, call)) === record.entry) return await assertAdministersOwner(dn, call);
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
  }
  assertSuperAdmin(call, 'revoke a certificate whose owner has gone');
}

export interface ListedCertificate
  extends Pick<CertificateRecord, 'serial' | 'subject' | 'issued' | 'notAfter'> {
  readonly status: 'valid' | 'expired' | 'revoked';
}

/** The owner of listed certificates: exactly one of the two. */
export interface CertificateFilter {
  readonly dn: Dn | undefined;
  readonly client: string | undefined;
}

/**
 * The certificates that were issued to an entry or a calling system, the oldest first.
 * @throws ServiceError `not_found`; `invalid_params` if not just one of the two is named; `permission_denied`
 */
export async function listCertificates(
  owner: CertificateFilter,
  call: CertificateView,
): Promise<readonly ListedCertificate[]> {
  const { certificates, clock } = call;
  const records = await certificates.of(await ownerKey(owner, call));
  return records.map((record) => ({ ...record, status: statusOf(record, clock.now()) }));
}

async function ownerKey({ dn, client }: CertificateFilter, call: OwnerContext): Promise<OwnerKey> {
  if (dn && client === undefined) return { entry: await entryIdentifier(dn, call) };
  if (dn || client === undefined || !isClientName(client))
    throw new ServiceError('invalid_params', { detail: 'Name either a dn or a client' });
  assertSuperAdmin(call, 'see certificates of calling systems');
  return { client };
}

function statusOf({ revoked, notAfter }: CertificateRecord, now: number): ListedCertificate['status'] {
  if (revoked !== undefined) return 'revoked';
  return notAfter < now ? 'expired' : 'valid';
}
