/**
 * Entries that every server of a directory must hold: the service's own, and the bases of domains. A server without them is empty or a replica
 * that is not synchronized, and would answer that users do not exist.
 */

import { type Dn, matchAll, ServiceError } from '@watchword/core/foundation';
import { expectSuccess, noSuchObject, referral } from '../results.ts';
import { searchRequest } from '../wire/search-request.ts';
import { wireDn } from '../wire/wire-names.ts';
import { bind } from './binds.ts';
import { Connection } from './connection.ts';
import type { Target } from './options.ts';

export interface RequiredEntries {
  readonly service: { readonly dn: Dn; readonly password: string };
  readonly bases: readonly Dn[];
}

/** Keys of the bases that a server does not hold. */
export type MissingEntries = ReadonlySet<string>;

/**
 * Checks a server on a connection of its own.
 * @param timeout milliseconds of each step
 * @throws ServiceError `credentials_refused` if the server refuses the service, whose entry it may lack; the errors of a connection
 */
export async function findMissing(
  target: Target,
  { service, bases }: RequiredEntries,
  timeout: number,
): Promise<MissingEntries> {
  const connection = await Connection.open(target, timeout);
  try {
    const answer = await bind(connection, service);
    if (!answer.granted || !answer.bound) throw new ServiceError('credentials_refused');
    const isHeld = await Promise.all(bases.map((base) => holds(connection, base)));
    return new Set(bases.filter((_, n) => !isHeld[n]).map(({ key }) => key));
  } finally {
    connection.retire();
  }
}

/** Returns whether the server holds an entry: a referral or reference says that another one does. */
async function holds(connection: Connection, base: Dn): Promise<boolean> {
  const search = { base: wireDn(base), scope: 'base', filter: matchAll, attributes: ['1.1'] } as const;
  const reply = await connection.request(searchRequest(connection, search));
  if (reply.code === noSuchObject || reply.code === referral) return false;
  return expectSuccess(reply).entries.length > 0;
}
