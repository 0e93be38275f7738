/** The embedded directory as one identity sees it. */
import { type Attributes, type Dn, ServiceError } from '@watchword/core/foundation';
import type {
  Change,
  ChildrenPage,
  ChildrenRequest,
  Clock,
  Directory,
  EnforcedPasswordPolicy,
  Entry,
  Random,
  Rename,
  SearchRequest,
} from '@watchword/core/ports';
import type { Passwords } from '../passwords/passwords.ts';
import { isPassword } from '../schema/schema.ts';
import { readChildren } from '../search/children.ts';
import { searchEntries } from '../search/search.ts';
import { Snapshot } from '../storage/snapshot.ts';
import { type Access, assertMayWrite, readableBy } from './access.ts';
import { EntryView, selection } from './entry-view.ts';
import type { DirectoryTables, Update, UpdateRequest } from './update.ts';

/** The shared parts of all views of a directory. */
export interface DirectoryContext extends DirectoryTables {
  /** Makes an update, by another process if it is large. */
  readonly update: (request: UpdateRequest) => Promise<void>;
  readonly passwords: Passwords;
  readonly policy: EnforcedPasswordPolicy;
  readonly clock: Clock;
  readonly random: Random;
}

export class View implements Directory {
  readonly identity: Dn;
  readonly #context: DirectoryContext;
  readonly #access: Access;
  #closed = false;

  constructor(context: DirectoryContext, access: Access) {
    this.#context = context;
    this.#access = access;
    this.identity = access.identity;
  }

  async search(request: SearchRequest): Promise<readonly Entry[]> {
    this.#assertOpen();
    const { environment, tables, base } = this.#context;
    using read = environment.read();
    const snapshot = new Snapshot(tables, base, read.transaction);
    const mayRead = readableBy(snapshot, this.#access);
    return await searchEntries(snapshot, request, { mayRead, read });
  }

  async children(request: ChildrenRequest): Promise<ChildrenPage> {
    this.#assertOpen();
    const { environment, tables, base } = this.#context;
    using read = environment.read();
    const snapshot = new Snapshot(tables, base, read.transaction);
    const mayRead = readableBy(snapshot, this.#access);
    return await readChildren(snapshot, request, { mayRead, read });
  }

  async read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined> {
    this.#assertOpen();
    const snapshot = new Snapshot(this.#context.tables, this.#context.base);
    const id = snapshot.find(dn);
    const stored = id === undefined ? undefined : snapshot.entry(id);
    if (id === undefined || !stored) return undefined;
    return selection(attributes, readableBy(snapshot, this.#access))(new EntryView(snapshot, id, stored));
  }

  async add(dn: Dn, attributes: Attributes): Promise<void> {
    if ([...attributes.keys()].some(isPassword)) this.#assertNotThere(dn);
    const hashed = await this.#context.passwords.protectEntry(attributes);
    await this.#write({ kind: 'add', dn, attributes: hashed });
  }

  async modify(dn: Dn, changes: readonly Change[]): Promise<void> {
    if (changes.some(({ attribute }) => isPassword(attribute))) this.#assertThere(dn);
    const hashed = await Promise.all(changes.map((change) => this.#hashPasswordsOf(change)));
    await this.#write({ kind: 'modify', dn, changes: hashed });
  }

  async rename(dn: Dn, to: Rename): Promise<void> {
    await this.#write({ kind: 'rename', dn, to });
  }

  async remove(dn: Dn): Promise<void> {
    await this.#write({ kind: 'remove', dn });
  }

  async setPassword(
    dn: Dn,
    password: string,
    { mustChange }: { readonly mustChange: boolean },
  ): Promise<void> {
    this.#assertThere(dn);
    const hash = await this.#context.passwords.hash(password);
    const changes: Change[] = [
      { operation: 'replace', attribute: 'userPassword', values: [hash] },
      { operation: 'replace', attribute: 'pwdReset', values: mustChange ? ['TRUE'] : [] },
    ];
    await this.#write({ kind: 'modify', dn, changes });
  }

  async assertWritable(dn: Dn): Promise<void> {
    this.#assertOpen();
    const snapshot = new Snapshot(this.#context.tables, this.#context.base);
    if (snapshot.find(dn) === undefined) throw new ServiceError('not_found');
    assertMayWrite(snapshot, this.#access);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** Said before a password is judged: who may write, and what is there. @throws ServiceError */
  #assertThere(dn: Dn): void {
    if (this.#find(dn) === undefined) throw new ServiceError('not_found');
  }

  #assertNotThere(dn: Dn): void {
    if (this.#find(dn) !== undefined) throw new ServiceError('already_exists');
  }

  #find(dn: Dn): number | undefined {
    this.#assertOpen();
    const snapshot = new Snapshot(this.#context.tables, this.#context.base);
    assertMayWrite(snapshot, this.#access);
    return snapshot.find(dn);
  }

  #assertOpen(): void {
    if (this.#closed)
      throw new ServiceError('unavailable', { detail: 'this view of the directory is closed' });
    this.#context.environment.assertOpen();
  }

  async #write(update: Update): Promise<void> {
    this.#assertOpen();
    const { update: write, clock, random } = this.#context;
    const author = { by: this.identity.toString(), now: clock.now(), random };
    await write({ update, access: this.#access, author });
  }

  async #hashPasswordsOf(change: Change): Promise<Change> {
    if (change.operation === 'delete' || !isPassword(change.attribute)) return change;
    return { ...change, values: await this.#context.passwords.protectAll(change.values) };
  }
}
