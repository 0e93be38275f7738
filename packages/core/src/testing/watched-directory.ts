/** A directory that tells what was asked of it, for tests of what a request costs and of what is given back. */

import type { Dn } from '../foundation/text/dn.ts';
import type {
  AuthenticateOptions,
  BindResult,
  Directory,
  DirectoryServer,
  PagesRequest,
  PasswordChange,
  Requester,
} from '../ports/directory/directory.ts';

export class WatchedDirectory implements DirectoryServer {
  /** Calls in order: `bind`, `revision`, `service.search`, and of bound identities `read`, `modify`, … */
  readonly asked: string[] = [];
  /** Bound directories that are not closed. */
  open = 0;
  readonly service: Directory;
  readonly #directory: DirectoryServer;

  constructor(directory: DirectoryServer) {
    this.#directory = directory;
    this.service = watch(directory.service, (name) => this.asked.push(`service.${name}`));
  }

  /** Returns what was asked until now, and forgets it. */
  takeAsked(): string[] {
    return this.asked.splice(0);
  }

  async bind(dn: Dn, password: string, requester?: Requester): Promise<BindResult> {
    this.asked.push('bind');
    const bound = await this.#directory.bind(dn, password, requester);
    if (!bound.granted) return bound;
    this.open += 1;
    const note = (name: string) => {
      if (name === 'close') this.open -= 1;
      this.asked.push(name);
    };
    return { ...bound, directory: watch(bound.directory, note) };
  }

  authenticate(dn: Dn, password: string, judging?: AuthenticateOptions) {
    this.asked.push('authenticate');
    return this.#directory.authenticate(dn, password, judging);
  }

  changePassword(dn: Dn, passwords: PasswordChange) {
    this.asked.push('changePassword');
    return this.#directory.changePassword(dn, passwords);
  }

  revision(dn: Dn) {
    this.asked.push('revision');
    return this.#directory.revision(dn);
  }

  pages(request: PagesRequest) {
    this.asked.push('pages');
    return this.#directory.pages(request);
  }

  capabilities(dn: Dn) {
    this.asked.push('capabilities');
    return this.#directory.capabilities(dn);
  }

  schema(dn: Dn) {
    this.asked.push('schema');
    return this.#directory.schema(dn);
  }

  binaryAttributes(dn: Dn) {
    return this.#directory.binaryAttributes(dn);
  }

  setWriters(writers: readonly Dn[]) {
    this.#directory.setWriters(writers);
  }

  probe() {
    this.asked.push('probe');
    return this.#directory.probe();
  }

  connections() {
    return this.#directory.connections?.() ?? [];
  }

  clearCaches() {
    this.asked.push('clearCaches');
    this.#directory.clearCaches();
  }

  close() {
    return this.#directory.close();
  }
}

function watch(directory: Directory, note: (name: string) => void): Directory {
  const noted = <T>(name: string, call: () => T): T => {
    note(name);
    return call();
  };
  return {
    identity: directory.identity,
    search: (request) => noted('search', () => directory.search(request)),
    children: (request) => noted('children', () => directory.children(request)),
    read: (dn, attributes) => noted('read', () => directory.read(dn, attributes)),
    add: (dn, attributes) => noted('add', () => directory.add(dn, attributes)),
    modify: (dn, changes) => noted('modify', () => directory.modify(dn, changes)),
    rename: (dn, to) => noted('rename', () => directory.rename(dn, to)),
    remove: (dn) => noted('remove', () => directory.remove(dn)),
    setPassword: (dn, password, options) =>
      noted('setPassword', () => directory.setPassword(dn, password, options)),
    assertWritable: (dn, attribute) => noted('assertWritable', () => directory.assertWritable(dn, attribute)),
    close: () => noted('close', () => directory.close()),
  };
}
