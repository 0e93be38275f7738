/** Reading of a server's root DSE (RFC 4512 §5.1) and schema. */

import { Dn, equal, ServiceError } from '@watchword/core/foundation';
import type { Capabilities, Entry, SchemaDefinitions } from '@watchword/core/ports';
import type { Connection } from './connection/connection.ts';
import type { LdapSettings } from './connection/options.ts';
import { type Dialect, dialects } from './dialect.ts';
import { readOne, searchEntries } from './searches.ts';

/** LDAP_CAP_ACTIVE_DIRECTORY_OID, [MS-ADTS] §3.1.1.3.4.3.1. */
const activeDirectory = '1.2.840.113556.1.4.800';

/** Facts about a server. */
export interface ServerFacts {
  readonly dialect: Dialect;
  readonly base: Dn;
}

/** @throws ServiceError `unavailable` if there is no naming context, or the service may not read it */
export async function readFacts(connection: Connection, settings: LdapSettings): Promise<ServerFacts> {
  const root = await readRootDse(connection);
  const dialect = settings.vendor === 'auto' ? dialects[vendorOf(root)] : dialects[settings.vendor];
  const context = first(root, 'defaultnamingcontext') ?? first(root, 'namingcontexts');
  const base = settings.base ?? (context === undefined ? undefined : Dn.tryParse(context));
  if (!base) throw new ServiceError('unavailable', { detail: 'the directory names no base: set base' });
  return { dialect, base };
}

export async function readCapabilities(
  connection: Connection,
  { dialect }: ServerFacts,
): Promise<Omit<Capabilities, 'service' | 'base'>> {
  const accountSchema = await hasAccountSchema(connection, dialect);
  const { vendor, identifier, resetFlag } = dialect;
  return { vendor, accountSchema, identifier, mustChangeAttribute: resetFlag };
}

async function readRootDse(connection: Connection): Promise<Entry> {
  const root = await readOne(connection, { dn: Dn.root, attributes: ['*', '+'], dialect: dialects.other });
  if (!root) throw new ServiceError('unavailable', { detail: 'the directory hides its root DSE' });
  return root;
}

function vendorOf(root: Entry): Dialect['vendor'] {
  if (values(root, 'supportedcapabilities').includes(activeDirectory)) return 'active-directory';
  return values(root, 'objectclass').includes('OpenLDAProotDSE') ? 'openldap' : 'other';
}

/** Returns empty lists if the root DSE names no schema. */
export async function readSchema(connection: Connection, dialect: Dialect): Promise<SchemaDefinitions> {
  const dn = first(await readRootDse(connection), 'subschemasubentry');
  return dn === undefined ? noDefinitions : definitionsAt(connection, Dn.parse(dn), dialect);
}

const noDefinitions: SchemaDefinitions = { objectClasses: [], attributeTypes: [] };

/** Reads the definitions of the subschema entry, RFC 4512 §4.2. */
async function definitionsAt(connection: Connection, dn: Dn, dialect: Dialect): Promise<SchemaDefinitions> {
  const schema = await readOne(connection, { dn, attributes: ['objectclasses', 'attributetypes'], dialect });
  if (!schema) return noDefinitions;
  return { objectClasses: values(schema, 'objectclasses'), attributeTypes: values(schema, 'attributetypes') };
}

/** Returns whether the schema has our class and attributes. */
async function hasAccountSchema(connection: Connection, dialect: Dialect): Promise<boolean> {
  const root = await readRootDse(connection);
  const isAd = dialect.vendor === 'active-directory';
  const dn = first(root, isAd ? 'schemanamingcontext' : 'subschemasubentry');
  if (dn === undefined) return false;
  return isAd ? hasAdClass(connection, Dn.parse(dn)) : hasClass(connection, Dn.parse(dn), dialect);
}

async function hasClass(connection: Connection, dn: Dn, dialect: Dialect): Promise<boolean> {
  const { objectClasses, attributeTypes } = await definitionsAt(connection, dn, dialect);
  const names = (definitions: readonly string[], wanted: string): boolean =>
    definitions.some((definition) => definition.toLowerCase().includes(`'${wanted}'`));
  return (
    names(objectClasses, 'webadmaccount') &&
    names(attributeTypes, 'webadmsettings') &&
    names(attributeTypes, 'webadmdata')
  );
}

/** Searches the schema of Active Directory, whose subschema entry has thousands of values. */
async function hasAdClass(connection: Connection, base: Dn): Promise<boolean> {
  const dialect = dialects['active-directory'];
  const filter = equal('lDAPDisplayName', 'webadmAccount');
  const search = { base, scope: 'one', filter, attributes: [], limit: 1 } as const;
  return (await searchEntries(connection, search, { dialect, pageSize: 500 })).length === 1;
}

function values(entry: Entry, name: string): string[] {
  return (entry.attributes.get(name) ?? []).map(String);
}

function first(entry: Entry, name: string): string | undefined {
  return values(entry, name)[0];
}
