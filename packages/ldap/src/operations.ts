/** Update operations. All of them throw ServiceErrors. */

import {
  type Attributes,
  type AttributeValue,
  bytesOf,
  type Dn,
  formatRdn,
  ServiceError,
} from '@watchword/core/foundation';
import type { Change, Rename } from '@watchword/core/ports';
import {
  AddRequest,
  Attribute,
  BerWriter,
  type Control,
  DeleteRequest,
  ExtendedRequest,
  ModifyDNRequest,
  ModifyRequest,
  Change as WireChange,
} from 'ldapts';
import type { Reply, Request } from './connection/connection.ts';
import type { Pool } from './connection/pool.ts';
import type { Dialect } from './dialect.ts';
import { referral } from './results.ts';
import { wireDn, wireName } from './wire/wire-names.ts';

export function addEntry(
  pool: Pool,
  dn: Dn,
  given: { attributes: Attributes; dialect: Dialect },
): Promise<Reply> {
  const attributes = [...given.attributes]
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => wireAttribute(name, values, given.dialect));
  return send(pool, new AddRequest({ messageId: 0, dn: wireDn(dn), attributes }));
}

export function modifyEntry(
  pool: Pool,
  dn: Dn,
  given: { changes: readonly Change[]; dialect: Dialect; controls?: Control[] },
): Promise<Reply> {
  const changes = given.changes.map(
    ({ operation, attribute, values }) =>
      new WireChange({ operation, modification: wireAttribute(attribute, values, given.dialect) }),
  );
  return send(
    pool,
    new ModifyRequest({ messageId: 0, dn: wireDn(dn), changes, controls: given.controls ?? [] }),
  );
}

/** Renames an entry, and removes the values of the old RDN. */
export function renameEntry(pool: Pool, dn: Dn, { rdn, parent }: Rename): Promise<Reply> {
  return send(
    pool,
    new ModifyDNRequest({
      messageId: 0,
      dn: wireDn(dn),
      newRdn: formatRdn(rdn),
      deleteOldRdn: true,
      ...(parent && { newSuperior: wireDn(parent) }),
    }),
  );
}

export function removeEntry(pool: Pool, dn: Dn): Promise<Reply> {
  return send(pool, new DeleteRequest({ messageId: 0, dn: wireDn(dn) }));
}

export const passwordModify = '1.3.6.1.4.1.4203.1.11.1';

/** Sets a password by the password modify operation, RFC 3062 §2. @param passwords.old given by the user; left out by an administrator */
export function setPassword(
  pool: Pool,
  dn: Dn,
  { password, old }: { readonly password: string; readonly old?: string },
): Promise<Reply> {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeString(wireDn(dn), 0x80);
  if (old !== undefined) writer.writeString(old, 0x81);
  writer.writeString(password, 0x82);
  writer.endSequence();
  return send(pool, new ExtendedRequest({ messageId: 0, oid: passwordModify, value: writer.buffer }));
}

async function send(pool: Pool, request: Request): Promise<Reply> {
  const reply = await pool.run('write', (connection) => connection.request(request));
  if (reply.code !== referral) return reply;
  // A read-only replica refers updates to another server (RFC 4511 §4.1.10), although it has the entry.
  throw new ServiceError('unavailable', { detail: 'changes to it have to be made on another server' });
}

function wireAttribute(name: string, values: readonly AttributeValue[], dialect: Dialect): Attribute {
  return new Attribute({
    type: wireName(name, dialect),
    values: values.map((value) => Buffer.from(bytesOf(value))),
  });
}
