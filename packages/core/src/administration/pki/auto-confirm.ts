/**
 * Auto-confirmation: for a limited time, every administrator who may sign certificates may also sign those of calling systems, which
 * otherwise needs a super administrator. It is in the store, so that it holds on every node.
 */

import { ServiceError } from '../../foundation/errors/errors.ts';
import { Network } from '../../foundation/text/network.ts';
import type { SubjectField } from '../../ports/authority.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Names } from '../../table/dialect.ts';
import type { Transaction } from '../../table/method.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';

export interface ConfirmingView {
  readonly store: Pick<Store, 'get' | 'put' | 'remove'>;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
  readonly transaction: Transaction;
  readonly names: Names;
}

/** The words of services that a certificate may be for. */
export const confirmedApplications = ['otp', 'sso', 'sms', 'sshkey'] as const;
type ConfirmedApplication = (typeof confirmedApplications)[number];

export interface Confirming {
  /** Minutes; 0: ends the opening. */
  readonly expires: number;
  /** Left out: all of them. */
  readonly application: ConfirmedApplication | undefined;
  /** Addresses of requests, with commas between them. Optional; default: any. */
  readonly addresses: string | undefined;
}

const minute = 60;
const allowedMinutes: readonly number[] = [0, 1, 5, 10, 15, 30, 60];

/** @throws ServiceError `invalid_params` */
export function minutesOf(expires: number): number {
  if (allowedMinutes.includes(expires)) return expires;
  throw new ServiceError('invalid_params', {
    detail: `Parameter expires is none of ${allowedMinutes.join(', ')}`,
  });
}

/** @param word ours or the installation's, in any case. @throws ServiceError `invalid_params` */
export function confirmedApplication(
  word: string | undefined,
  { names }: Pick<ConfirmingView, 'names'>,
): ConfirmedApplication | undefined {
  if (word === undefined) return undefined;
  const found = serviceOf(word, names);
  if (found) return found;
  const words = confirmedApplications.map((one) => names.theirs(one)).join(', ');
  throw new ServiceError('invalid_params', { detail: `Parameter application is none of ${words}` });
}

const serviceOf = (word: string, names: Names): ConfirmedApplication | undefined =>
  confirmedApplications.find((one) =>
    [one, names.theirs(one)].some((name) => name.toLowerCase() === word.toLowerCase()),
  );

const mostAddresses = 32;

/** The family of openings in the store. */
export const openingFamily = 'certificates';

const keyOf = (application: string): string => `${openingFamily}:${application}`;
const all = 'all';

/** Takes the place of what was said before of the same application. @throws ServiceError `invalid_address`, `permission_denied` */
export async function confirmAutomatically(
  { expires, application, addresses }: Confirming,
  call: ConfirmingView,
): Promise<void> {
  const networks = networksIn(addresses);
  assertSuperAdmin(call, 'let others have certificates of calling systems signed');
  const key = keyOf(application ?? all);
  if (expires > 0) return call.store.put(key, Buffer.from(JSON.stringify(networks)), expires * minute);
  await call.store.remove(key);
  // Without an application it ends what was said of each.
  if (application === undefined) for (const one of confirmedApplications) await call.store.remove(keyOf(one));
}

function networksIn(addresses = ''): readonly string[] {
  const networks = addresses.trim() === '' ? [] : addresses.split(',').map((one) => one.trim());
  if (networks.length > mostAddresses || networks.some((one) => !Network.parse(one)))
    throw new ServiceError('invalid_address', { detail: 'Invalid IP address or mask' });
  return networks;
}

/** organizationalUnitName (RFC 4519 §2.20): which service the certificate of a calling system is for. */
const organizationalUnit = '2.5.4.11';

/** @throws ServiceError `permission_denied` */
export async function assertConfirmed(subject: readonly SubjectField[], call: ConfirmingView): Promise<void> {
  if (call.rights.isSuperAdmin) return;
  const units = subject
    .filter(({ type }) => type === organizationalUnit)
    .map(({ value }) => serviceOf(value, call.names));
  for (const application of [all, ...units.filter((one) => one !== undefined)])
    if (await isOpen(application, call)) return;
  assertSuperAdmin(call, 'have a certificate of a calling system signed');
}

async function isOpen(application: string, { store, transaction }: ConfirmingView): Promise<boolean> {
  const value = await store.get(keyOf(application));
  if (!value) return false;
  const networks = Network.parseAll(JSON.parse(Buffer.from(value).toString()));
  return networks.length === 0 || networks.some((one) => one.contains(addressIn(transaction)));
}

/** Returns the address of `address:port`. */
const addressIn = ({ client }: Transaction): string => client.replace(/:[0-9]+$/, '').replace(/^\[|\]$/g, '');
