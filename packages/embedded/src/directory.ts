/**
 * The embedded directory, for installations without an LDAP server. Its access rules are fixed (`access.ts`), and its schema is OpenLDAP's
 * (`schema.ts`). LDIF moves it to another directory.
 */

import {
  type Attributes,
  type AttributeValue,
  type BinaryAttributeNames,
  binaryAttributeNames,
  Dn,
  ServiceError,
  StartError,
} from '@watchword/core/foundation';
import type {
  AuthenticateOptions,
  Authentication,
  BindRefusal,
  BindResult,
  Capabilities,
  Clock,
  Directory,
  DirectoryServer,
  Entry,
  Log,
  PagesRequest,
  PasswordChange,
  PasswordPolicy,
  Random,
  Requester,
  SchemaDefinitions,
} from '@watchword/core/ports';
import { type Access, assertMayWrite } from './entries/access.ts';
import { type DirectoryTables, makeUpdate, type UpdateRequest } from './entries/update.ts';
import { completeEntry } from './entries/updates.ts';
import { type DirectoryContext, View } from './entries/view.ts';
import { ensureIndex } from './indexes/index-format.ts';
import { LargeChanges } from './large-changes/large-changes.ts';
import type { LdifSource } from './ldif/ldif.ts';
import { type ExportOptions, exportLdif } from './ldif/ldif-export.ts';
import { type ImportOptions, importLdif } from './ldif/ldif-import.ts';
import type { HashCost } from './password-schemes/index.ts';
import { enforcedPolicy, usualPolicy } from './passwords/password-policy.ts';
import { Passwords } from './passwords/passwords.ts';
import { definitions, findAttribute } from './schema/schema.ts';
import { hasSyntax } from './schema/syntaxes.ts';
import { searchPages } from './search/pages.ts';
import type { Environment } from './storage/environment.ts';
import { baseId, openTables, Snapshot, type StoredEntry } from './storage/snapshot.ts';
import { withinTransaction } from './storage/transaction.ts';

export interface DirectoryOptions {
  /** The base entry, created when the directory is first opened: `dc=example,dc=org`, `o=Example`. It never changes. */
  readonly base: Dn;
  /** The cost from which an update is made by another process, see `weight.ts`. Optional; default: some 5 ms. */
  readonly largeFrom?: number;
  /** The cost of the hash of a new password. Optional; default: as OWASP recommends. A lower one is for tests. */
  readonly hashCost?: HashCost | undefined;
  /** The policy for new passwords. Optional; default: 8 characters, and no common ones. */
  readonly passwordPolicy?: PasswordPolicy | undefined;
}

export interface DirectoryPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** The log of an overloaded hashing queue, and of stored passwords that never match. */
  readonly log?: Log;
}

/**
 * Opens the directory in an environment. Creates its base entry if it is new, and rebuilds indexes of an earlier format.
 * @param environment the environment, of `openEnvironment`
 * @param options the base, and the policy of new passwords
 * @param ports the clock, the random numbers and the log
 * @returns the directory
 * @throws StartError if it has another base or is of a later version, or no entry can have this base
 * @see docs/concepts/dialects-and-names.md#directory-vendor
 * @example
 * ```ts
 * import { Dn } from '@watchword/core';
 * import { openDirectory, openEnvironment } from '@watchword/embedded';
 * import { systemClock, systemRandom } from '@watchword/node';
 *
 * const base = Dn.parse('dc=example,dc=org');
 * const environment = await openEnvironment('./data');
 * const directory = await openDirectory(environment, { base }, { clock: systemClock, random: systemRandom });
 * console.log((await directory.capabilities()).vendor); // embedded
 * await directory.close();
 * await environment.close();
 * ```
 */
export async function openDirectory(
  environment: Environment,
  { base, largeFrom, hashCost, passwordPolicy = usualPolicy }: DirectoryOptions,
  ports: DirectoryPorts,
): Promise<EmbeddedDirectory> {
  const tables = openTables(environment);
  const { clock, random } = ports;
  const policy = enforcedPolicy(passwordPolicy);
  const passwords = new Passwords(ports, { cost: hashCost, policy });
  const directoryTables: DirectoryTables = { environment, tables, base };
  const largeChanges = new LargeChanges(directoryTables, {
    clock,
    ...(largeFrom !== undefined && { from: largeFrom }),
  });
  const update = async (request: UpdateRequest) => {
    // Checked again in the transaction. Here it saves the work of an update without the right.
    assertMayWrite(new Snapshot(tables, base), request.access);
    await (largeChanges.isLarge(request.update)
      ? largeChanges.make(request)
      : makeUpdate(directoryTables, request));
  };
  const context: DirectoryContext = { ...directoryTables, update, passwords, policy, clock, random };
  await ensureBase(context);
  await ensureIndex(environment, tables);
  return new EmbeddedDirectory(context);
}

export class EmbeddedDirectory implements DirectoryServer {
  readonly service: Directory;
  readonly #context: DirectoryContext;
  #writers: readonly Dn[] = [];
  readonly #serviceAccess: Access;
  readonly #capabilities: Promise<Capabilities>;

  /** @internal */
  constructor(context: DirectoryContext) {
    this.#context = context;
    const identity = context.base.child([{ type: 'cn', value: 'service' }]);
    this.#serviceAccess = { identity, trusted: true, writers: [] };
    this.service = new View(context, this.#serviceAccess);
    this.#capabilities = Promise.resolve({
      ...{ vendor: 'embedded', accountSchema: true, identifier: 'entryuuid', mustChangeAttribute: undefined },
      ...{ service: identity, base: context.base, passwords: context.policy },
    });
  }

  async bind(dn: Dn, password: string, requester?: Requester): Promise<BindResult> {
    const result = await this.authenticate(dn, password, { requester });
    if (!result.granted) return result;
    const writersNow = () => this.#writers;
    const access: Access = {
      ...{ identity: dn, trusted: false },
      get writers() {
        return writersNow();
      },
    };
    const directory = new View(this.#context, access);
    return { granted: true, directory, mustChange: result.mustChange };
  }

  async authenticate(
    dn: Dn,
    password: string,
    { requester }: AuthenticateOptions = {},
  ): Promise<Authentication> {
    this.#context.environment.assertOpen();
    const attributes = this.#entry(dn)?.attributes ?? new Map<string, readonly AttributeValue[]>();
    const stored = attributes.get('userpassword') ?? [];
    const matches = await this.#context.passwords.verify(
      { user: dn.toString(), stored },
      password,
      requester,
    );
    if (!matches) return { granted: false, refusal: 'wrong_password' };
    const refusal = lockOf(attributes);
    if (refusal) return { granted: false, refusal };
    return { granted: true, mustChange: attributes.get('pwdreset')?.[0] === 'TRUE' };
  }

  async changePassword(dn: Dn, { old, wanted }: PasswordChange): Promise<BindRefusal | undefined> {
    const result = await this.authenticate(dn, old);
    if (!result.granted) return result.refusal;
    await this.service.setPassword(dn, wanted, { mustChange: false });
    return undefined;
  }

  async revision(dn: Dn): Promise<string | undefined> {
    this.#context.environment.assertOpen();
    return this.#entry(dn)?.attributes.get('entrycsn')?.map(String)[0];
  }

  pages(request: PagesRequest): AsyncGenerator<readonly Entry[]> {
    return searchPages(this.#context, request, this.#serviceAccess);
  }

  capabilities(): Promise<Capabilities> {
    return this.#capabilities;
  }

  async schema(): Promise<SchemaDefinitions> {
    return definitions;
  }

  async binaryAttributes(): Promise<BinaryAttributeNames> {
    return binaryNames;
  }

  async probe(): Promise<void> {
    this.#context.environment.assertOpen();
    if (!this.#entry(this.#context.base))
      throw new ServiceError('unavailable', { detail: 'the base is missing' });
  }

  setWriters(writers: readonly Dn[]): void {
    this.#writers = writers;
  }

  /** Does nothing: the directory has no caches. */
  clearCaches(): void {}

  importLdif(source: LdifSource, options?: ImportOptions): Promise<number> {
    return importLdif(this.#context, source, options);
  }

  exportLdif(options?: ExportOptions): AsyncGenerator<string> {
    return exportLdif(this.#context, options);
  }

  /** Closes the service's view, and leaves the environment open. */
  async close(): Promise<void> {
    await this.service.close();
  }

  #entry(dn: Dn): StoredEntry | undefined {
    const snapshot = new Snapshot(this.#context.tables, this.#context.base);
    const id = snapshot.find(dn);
    return id === undefined ? undefined : snapshot.entry(id);
  }
}

const binaryNames = binaryAttributeNames(definitions.attributeTypes);

/** The time of a lock without an end, which disables the account: draft Behera §5.3.3. */
const lockedForever = '000001010000Z';

/** Returns why an account is closed. Only a bind with the right password learns it. */
function lockOf(attributes: Attributes): BindRefusal | undefined {
  const locked = attributes.get('pwdaccountlockedtime')?.[0];
  if (locked === undefined) return undefined;
  return locked === lockedForever ? 'account_disabled' : 'account_locked';
}

/** Object classes of a base entry, by the type of its RDN. */
const baseClasses: Readonly<Record<string, string>> = {
  dc: 'domain',
  o: 'organization',
  ou: 'organizationalUnit',
  l: 'locality',
  c: 'country',
};

async function ensureBase({ environment, tables, base, clock, random }: DirectoryContext): Promise<void> {
  await environment.write(() =>
    withinTransaction(tables, base, (transaction) => {
      const known = tables.settings.get('base');
      if (known === undefined) {
        const author = { by: base.toString(), now: clock.now(), random };
        transaction.insertBase(
          base,
          completeEntry(transaction, base, { attributes: baseAttributes(base), author }),
        );
        tables.settings.put('base', base.toString());
      } else if (!Dn.parse(known).equals(base)) {
        throw new StartError(`The data folder holds a directory with the base ${known}, not ${base}.`);
      }
    }),
  );
  if (!new Snapshot(tables, base).entry(baseId)) {
    throw new StartError(
      'The directory in the data folder has lost its base entry: put a backup in its place.',
    );
  }
}

/** Returns the object class of a base; undefined if no entry can have this name: its value is invalid, or its RDN has two. */
function baseClass({ rdns }: Dn): string | undefined {
  const [named, ...others] = rdns[0] ?? [];
  const attribute = named && findAttribute(named.type);
  if (!attribute || others.length > 0 || !hasSyntax(attribute, named.value)) return undefined;
  return baseClasses[named.type.toLowerCase()];
}

/** Returns whether a directory can be created with this base. */
export const isBaseName = (dn: Dn): boolean => baseClass(dn) !== undefined;

function baseAttributes(base: Dn): Attributes {
  const objectClass = baseClass(base);
  if (objectClass) return new Map([['objectclass', [objectClass]]]);
  throw new StartError(
    `The base of the embedded directory begins with dc, o, ou, l or c and a value that this takes, which ${base} does not.`,
  );
}
