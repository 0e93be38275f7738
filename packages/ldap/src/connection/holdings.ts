/**
 * Entries that every server of a directory holds: that of the service, and the bases of domains. A server without one is empty, or a
 * replica that is not filled yet: it would answer that there is no such user.
 */

import { type Dn, everything, ServiceError } from '@watchword/core/foundation';
import { expectSuccess, noSuchObject, referral } from '../results.ts';
import { searchRequest } from '../wire/search-request.ts';
import { wireDn } from '../wire/wire-names.ts';
import { bind } from './binds.ts';
import { Connection } from './connection.ts';
import type { Target } from './options.ts';

export interface Required {
  readonly service: { readonly dn: Dn; readonly password: string };
  readonly bases: readonly Dn[];
}

/** Bases that a server does not hold, by their keys. */
export type Missing = ReadonlySet<string>;

/**
 * Looks at a server on a connection of its own.
 * @param timeout milliseconds for each step
 * @throws ServiceError `credentials_refused` where the server refuses the service, which it may not have; what a connection throws
 */
export async function missingAt(
  target: Target,
  { service, bases }: Required,
  timeout: number,
): Promise<Missing> {
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

/** A referral, and a reference in the place of the entry, say that another server holds it. */
async function holds(connection: Connection, base: Dn): Promise<boolean> {
  const search = { base: wireDn(base), scope: 'base', filter: everything, attributes: ['1.1'] } as const;
  const reply = await connection.request(searchRequest(connection, search));
  if (reply.code === noSuchObject || reply.code === referral) return false;
  return expectSuccess(reply).entries.length > 0;
}
