/** The directory layer that records the changes of a dry run as they were requested. Lower layers may store them elsewhere. */

import type { Dn } from '../../../foundation/text/dn.ts';
import type { Attributes } from '../../../foundation/text/value.ts';
import type {
  Change,
  ChildrenPage,
  ChildrenRequest,
  Directory,
  Entry,
  Rename,
  SearchRequest,
} from '../../../ports/directory/directory.ts';
import { changesOf, type Recorder } from './recorder.ts';

export class RecordingDirectory implements Directory {
  readonly identity: Dn;
  readonly #directory: Directory;
  readonly #recorder: Recorder;

  constructor(directory: Directory, recorder: Recorder) {
    this.identity = directory.identity;
    this.#directory = directory;
    this.#recorder = recorder;
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
    await this.#directory.add(dn, attributes);
    this.#recorder.add({ operation: 'add', dn: dn.format(), changes: changesOf(attributes) });
  }

  async modify(dn: Dn, changes: readonly Change[]): Promise<void> {
    await this.#directory.modify(dn, changes);
    this.#recorder.add({ operation: 'modify', dn: dn.format(), changes });
  }

  async rename(dn: Dn, to: Rename): Promise<void> {
    await this.#directory.rename(dn, to);
    const target = (to.parent ?? dn.parent)?.child(to.rdn) ?? dn;
    this.#recorder.add({ operation: 'rename', dn: dn.format(), changes: [], to: target.format() });
  }

  async remove(dn: Dn): Promise<void> {
    await this.#directory.remove(dn);
    this.#recorder.add({ operation: 'remove', dn: dn.format(), changes: [] });
  }

  async setPassword(dn: Dn, password: string, options: { readonly mustChange: boolean }): Promise<void> {
    await this.#directory.setPassword(dn, password, options);
    this.#recorder.add({ operation: 'password', dn: dn.format(), changes: [] });
  }

  assertWritable(dn: Dn, attribute: string): Promise<void> {
    return this.#directory.assertWritable(dn, attribute);
  }

  close(): Promise<void> {
    return this.#directory.close();
  }
}
