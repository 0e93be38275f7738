/** The stage of the tests of limits: two nodes, users with HOTP tokens, and requests in one line. */
import { expect } from 'vitest';
import { dnOf, done } from '../login/people.ts';
import {
  type Answer,
  type Config,
  type Node,
  type Nodes,
  type Wishes as NodeWishes,
  openNodes,
  type Peer,
} from './nodes.ts';
import type { Mode } from './oracle/oracle-attempt.ts';
import { type Authenticator, codeAt, type Person } from './oracle/oracle-people.ts';

/** And it names the account. */
export const granted: unknown = expect.objectContaining({
  ...{ code: 1, error: '', message: 'Authentication success', data: '', concat: 0 },
});
export const refused = { code: 0, error: 'AuthFailed', message: 'Invalid username or password' };

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Answers at once: of time there are tests of their own. */
export const atOnce: Config = { limits: { login_failure_delay_ms: 0 } };

export interface Wishes {
  readonly mode?: Mode;
  readonly has?: readonly Authenticator[];
  readonly maxTries?: number;
  readonly blockTime?: number;
  readonly settings?: Readonly<Record<string, string>>;
}

export class User {
  readonly name: string;
  readonly password: string;
  readonly dn: string;
  readonly secret: Uint8Array;
  #counter = 0;

  constructor(name: string, dn: string, secret: Uint8Array) {
    this.name = name;
    this.password = `Pa55word of ${name}`;
    this.dn = dn;
    this.secret = secret;
  }

  /** The code of the next counter, and the counter goes on. */
  code(): string {
    this.#counter += 1;
    return codeAt(this.#counter - 1, this.secret, 6);
  }

  /** One of the codes that come next, for what must not use it up. */
  laterCode(ahead = 0): string {
    return codeAt(this.#counter + ahead, this.secret, 6);
  }

  both() {
    return { ldapPassword: this.password, otpPassword: this.code() };
  }
}

/** Addresses that nobody was at before. */
let last = 0;
export function somewhere(): Peer {
  last += 1;
  return { address: `100.${64 + (last >> 16)}.${(last >> 8) & 255}.${last & 255}` };
}

type Operation = Parameters<Node['ask']>[1];

export class Stage {
  readonly nodes: Nodes;
  #users = 0;

  constructor(nodes: Nodes) {
    this.nodes = nodes;
  }

  static open = async (config: Config = atOnce, wishes: NodeWishes = {}): Promise<Stage> =>
    new Stage(await openNodes(config, wishes));

  close = (): Promise<void> => this.nodes.close();

  pass = (milliseconds: number): void => this.nodes.clock.advance(milliseconds);

  async user({ mode = 'LDAPOTP', has, maxTries = 5, blockTime = 300, settings }: Wishes = {}): Promise<User> {
    this.#users += 1;
    const name = `person${this.#users}`;
    const [{ fixture }] = this.nodes.nodes;
    const secret = Buffer.alloc(20, this.#users);
    const user = new User(name, dnOf(fixture, name), secret);
    const token: Authenticator = { type: 'HOTP', key: 'token', digits: 6, secret, next: 0 };
    const person: Person = { name, password: user.password, has: has ?? [token], maxTries, blockTime };
    await this.nodes.add(person, { 'Otp.LoginMode': mode, ...settings });
    return user;
  }

  /** A request of a user, from somewhere; on the nodes in turn. */
  async ask(
    peer: Peer,
    { name }: { readonly name: string },
    fields: object,
    operation: Operation = 'NormalLogin',
  ) {
    this.#turn += 1;
    const node = this.nodes.nodes[this.#turn % 2] ?? this.nodes.nodes[0];
    return node.ask(peer, operation, { username: name, ...fields });
  }

  #turn = 0;

  text = (peer: Peer, user: User, anyPassword: string): Promise<Answer> =>
    this.ask(peer, user, { anyPassword }, 'SimpleLogin');

  /** So many requests with the same secrets, each from a place that nobody knows unless one is told. */
  async times(count: number, user: { readonly name: string }, fields: object, peer?: Peer): Promise<void> {
    for (let n = 0; n < count; n += 1) await this.ask(peer ?? somewhere(), user, fields);
  }

  /** Strangers have the user refused. */
  shutOut = (user: { readonly name: string }, failures = 5): Promise<void> =>
    this.times(failures, user, { ldapPassword: 'wrong' });

  manager = (method: string, { dn }: User, params: object = {}): Promise<unknown> =>
    done(this.nodes.nodes[0].fixture, method, { dn, ...params });
}
