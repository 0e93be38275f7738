/**
 * The embedded directory: a small LDAP directory without a server, for installations that have none. Access
 * rules are fixed (`access.ts`), the schema is OpenLDAP's (`schema.ts`), and the way out is LDIF.
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
  Asker,
  Authentication,
  BindRefusal,
  BindResult,
  Capabilities,
  Clock,
  Directory,
  DirectoryServer,
  Entry,
  Judging,
  Log,
  PagesRequest,
  PasswordChange,
  PasswordPolicy,
  Random,
  SchemaDefinitions,
} from '@watchword/core/ports';
import { type Access, assertMayWrite } from './entries/access.ts';
import { makeUpdate, type Order, type Place } from './entries/update.ts';
import { completeEntry } from './entries/updates.ts';
import { type Foundation, View } from './entries/view.ts';
import { ensureIndex } from './indexes/index-format.ts';
import { LargeChanges } from './large-changes/large-changes.ts';
import type { LdifSource } from './ldif/ldif.ts';
import { type ExportOptions, exportLdif } from './ldif/ldif-export.ts';
import { type ImportOptions, importLdif } from './ldif/ldif-import.ts';
import type { HashCost } from './password-schemes/index.ts';
import { judgedPolicy, usualPolicy } from './passwords/password-policy.ts';
import { Passwords } from './passwords/passwords.ts';
import { definitions, findAttribute } from './schema/schema.ts';
import { hasSyntax } from './schema/syntaxes.ts';
import { searchPages } from './search/pages.ts';
import type { Environment } from './storage/environment.ts';
import { baseId, openTables, Snapshot, type StoredEntry } from './storage/snapshot.ts';
import { withinTransaction } from './storage/transaction.ts';

export interface DirectoryOptions {
  /** The entry at the top, made on the first open: `dc=example,dc=org`, `o=Example`. It never changes. */
  readonly base: Dn;
  /** From how much work on a change is made by another process; left out: what others would wait 5 ms for. */
  readonly largeFrom?: number;
  /** What the hash of a new password takes; left out: what OWASP recommends. Less is for tests of anything else. */
  readonly hashCost?: HashCost | undefined;
  /** The rules for new passwords; left out: 8 characters, and none of the most common ones. */
  readonly passwordPolicy?: PasswordPolicy | undefined;
}

export interface DirectoryPorts {
  readonly clock: Clock;
  readonly random: Random;
  /** Told when more passwords wait than can be checked, and of one that never matches. */
  readonly log?: Log;
}

/**
 * Opens the directory in an environment, making its base on the first open, and its indexes anew if an earlier
 * version made them otherwise.
 * @throws StartError if it was made for another base or by a later version, or the base is of a kind that cannot
 * be made
 */
export async function openDirectory(
  environment: Environment,
  { base, largeFrom, hashCost, passwordPolicy = usualPolicy }: DirectoryOptions,
  ports: DirectoryPorts,
): Promise<EmbeddedDirectory> {
  const tables = openTables(environment);
  const { clock, random } = ports;
  const policy = judgedPolicy(passwordPolicy);
  const passwords = new Passwords(ports, { cost: hashCost, policy });
  const place: Place = { environment, tables, base };
  const largeChanges = new LargeChanges(place, {
    clock,
    ...(largeFrom !== undefined && { from: largeFrom }),
  });
  const make = async (order: Order) => {
    // Judged again in the transaction: this is so that nobody without the right can have anything weighed or handed over.
    assertMayWrite(new Snapshot(tables, base), order.access);
    await (largeChanges.isLarge(order.update) ? largeChanges.make(order) : makeUpdate(place, order));
  };
  const foundation: Foundation = { ...place, make, passwords, policy, clock, random };
  await ensureBase(foundation);
  await ensureIndex(environment, tables);
  return new EmbeddedDirectory(foundation);
}

export class EmbeddedDirectory implements DirectoryServer {
  readonly service: Directory;
  readonly #foundation: Foundation;
  #writers: readonly Dn[] = [];
  readonly #serviceAccess: Access;
  readonly #capabilities: Promise<Capabilities>;

  /** @internal */
  constructor(foundation: Foundation) {
    this.#foundation = foundation;
    const identity = foundation.base.child([{ type: 'cn', value: 'service' }]);
    this.#serviceAccess = { identity, trusted: true, writers: [] };
    this.service = new View(foundation, this.#serviceAccess);
    this.#capabilities = Promise.resolve({
      ...{ vendor: 'embedded', accountSchema: true, identifier: 'entryuuid', mark: undefined },
      ...{ service: identity, base: foundation.base, passwords: foundation.policy },
    });
  }

  async bind(dn: Dn, password: string, asker?: Asker): Promise<BindResult> {
    const result = await this.authenticate(dn, password, { asker });
    if (!result.granted) return result;
    const writersNow = () => this.#writers;
    const access: Access = {
      ...{ identity: dn, trusted: false },
      get writers() {
        return writersNow();
      },
    };
    const directory = new View(this.#foundation, access);
    return { granted: true, directory, mustChange: result.mustChange };
  }

  async authenticate(dn: Dn, password: string, { asker }: Judging = {}): Promise<Authentication> {
    this.#foundation.environment.assertOpen();
    const attributes = this.#entry(dn)?.attributes ?? new Map<string, readonly AttributeValue[]>();
    const stored = attributes.get('userpassword') ?? [];
    const matches = await this.#foundation.passwords.verify({ user: dn.toString(), stored }, password, asker);
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
    this.#foundation.environment.assertOpen();
    return this.#entry(dn)?.attributes.get('entrycsn')?.map(String)[0];
  }

  pages(request: PagesRequest): AsyncGenerator<readonly Entry[]> {
    return searchPages(this.#foundation, request, this.#serviceAccess);
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
    this.#foundation.environment.assertOpen();
    if (!this.#entry(this.#foundation.base))
      throw new ServiceError('unavailable', { detail: 'the base is missing' });
  }

  letWrite(writers: readonly Dn[]): void {
    this.#writers = writers;
  }

  /** Nothing is cached. */
  clearCaches(): void {}

  /** See {@link importLdif}. */
  importLdif(source: LdifSource, options?: ImportOptions): Promise<number> {
    return importLdif(this.#foundation, source, options);
  }

  /** See {@link exportLdif}. */
  exportLdif(options?: ExportOptions): AsyncGenerator<string> {
    return exportLdif(this.#foundation, options);
  }

  /** Closes the service's view. The environment stays open: it belongs to whoever opened it. */
  async close(): Promise<void> {
    await this.service.close();
  }

  #entry(dn: Dn): StoredEntry | undefined {
    const snapshot = new Snapshot(this.#foundation.tables, this.#foundation.base);
    const id = snapshot.find(dn);
    return id === undefined ? undefined : snapshot.entry(id);
  }
}

const binaryNames = binaryAttributeNames(definitions.attributeTypes);

/** Draft Behera §5.3.3: this time means locked until an administrator unlocks, which is how one disables. */
const lockedForGood = '000001010000Z';

/** Told only to those who know the password: others see no difference. */
function lockOf(attributes: Attributes): BindRefusal | undefined {
  const locked = attributes.get('pwdaccountlockedtime')?.[0];
  if (locked === undefined) return undefined;
  return locked === lockedForGood ? 'account_disabled' : 'account_locked';
}

/** Object classes of a base entry, by the type of its RDN. */
const baseClasses: Readonly<Record<string, string>> = {
  dc: 'domain',
  o: 'organization',
  ou: 'organizationalUnit',
  l: 'locality',
  c: 'country',
};

async function ensureBase({ environment, tables, base, clock, random }: Foundation): Promise<void> {
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

/** Undefined, where no entry could have this name: its attribute takes no such value, or it has two. */
function baseClass({ rdns }: Dn): string | undefined {
  const [named, ...others] = rdns[0] ?? [];
  const attribute = named && findAttribute(named.type);
  if (!attribute || others.length > 0 || !hasSyntax(attribute, named.value)) return undefined;
  return baseClasses[named.type.toLowerCase()];
}

/** A directory can be made with this base. */
export const isBaseName = (dn: Dn): boolean => baseClass(dn) !== undefined;

function baseAttributes(base: Dn): Attributes {
  const objectClass = baseClass(base);
  if (objectClass) return new Map([['objectclass', [objectClass]]]);
  throw new StartError(
    `The base of the embedded directory begins with dc, o, ou, l or c and a value that this takes, which ${base} does not.`,
  );
}
