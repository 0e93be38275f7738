/** A directory in which nothing is changed: what would be is judged as far as reading tells, and written down. */
import type {
  Change,
  ChildrenPage,
  ChildrenRequest,
  Directory,
  Entry,
  Rename,
  SearchRequest,
} from '../../directory/directory.ts';
import { ServiceError } from '../../errors/errors.ts';
import { Dn } from '../../text/dn.ts';
import { type Attributes, type AttributeValue, isSecretAttribute } from '../../text/value.ts';

/** A change that was not made. */
export interface Rehearsed {
  readonly operation: 'add' | 'modify' | 'rename' | 'remove' | 'password';
  readonly dn: string;
  readonly changes: readonly RehearsedChange[];
  /** The name that the entry would get. */
  readonly to?: string;
}

export interface RehearsedChange {
  readonly operation: Change['operation'];
  readonly attribute: string;
  /** Bytes in base64; of what is secret only that there are some. */
  readonly values: readonly string[];
}

export class RecordingDirectory implements Directory {
  readonly identity: Dn;
  readonly would: Rehearsed[] = [];
  readonly #directory: Directory;

  constructor(directory: Directory) {
    this.identity = directory.identity;
    this.#directory = directory;
  }

  search(request: SearchRequest): Promise<readonly Entry[]> {
    return this.#directory.search(request);
  }

  children(request: ChildrenRequest): Promise<ChildrenPage> {
    return this.#directory.children(request);
  }

  read(dn: Dn, attributes?: readonly string[]): Promise<Entry | undefined> {
    return this.#directory.read(dn, attributes);
  }

  async add(dn: Dn, attributes: Attributes): Promise<void> {
    if (await this.#directory.read(dn, ['1.1'])) throw new ServiceError('already_exists');
    await this.#existing(dn.parent ?? dn);
    const changes = [...attributes].map(([attribute, values]) =>
      told({ operation: 'add', attribute, values }),
    );
    this.would.push({ operation: 'add', dn: dn.format(), changes });
  }

  async modify(dn: Dn, changes: readonly Change[]): Promise<void> {
    const name = await this.#existing(dn);
    for (const { attribute } of changes) await this.#directory.assertWritable(dn, attribute);
    this.would.push({ operation: 'modify', dn: name, changes: changes.map(told) });
  }

  async rename(dn: Dn, to: Rename): Promise<void> {
    const name = await this.#existing(dn);
    if (to.parent) await this.#existing(to.parent);
    const target = (to.parent ?? dn.parent)?.child(to.rdn) ?? dn;
    const taken = await this.#directory.read(target, ['1.1']);
    if (taken && !Dn.parse(taken.dn).equals(Dn.parse(name))) throw new ServiceError('already_exists');
    this.would.push({ operation: 'rename', dn: name, changes: [], to: target.format() });
  }

  async remove(dn: Dn): Promise<void> {
    this.would.push({ operation: 'remove', dn: await this.#existing(dn), changes: [] });
  }

  async setPassword(dn: Dn): Promise<void> {
    this.would.push({ operation: 'password', dn: await this.#existing(dn), changes: [] });
  }

  assertWritable(dn: Dn, attribute: string): Promise<void> {
    return this.#directory.assertWritable(dn, attribute);
  }

  /** It is the caller's, who gives it back. */
  async close(): Promise<void> {}

  /** @returns the name as the directory writes it. @throws ServiceError `not_found` */
  async #existing(dn: Dn): Promise<string> {
    const entry = await this.#directory.read(dn, ['1.1']);
    if (!entry) throw new ServiceError('not_found');
    return entry.dn;
  }
}

function told({ operation, attribute, values }: Change): RehearsedChange {
  const text = isSecretAttribute(attribute) ? () => '***' : textOf;
  return { operation, attribute, values: values.map(text) };
}

const textOf = (value: AttributeValue): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('base64');
