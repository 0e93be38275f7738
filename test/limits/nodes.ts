/**
 * Two nodes for the oracle's attempts: two services on one store and one directory, with a clock that passes by
 * itself. Passwords are compared in plain text, since it is not their hashing that is looked at; codes are real.
 */
import { createHash } from 'node:crypto';
import type { Authentication, DirectoryServer, Dn, EventLog, Ports } from '@watchword/core';
import { KeptLog, type TestClock } from '@watchword/core/testing';
import { type Fixture, type FixtureOptions, openFixture } from '@watchword/core/testing/bed';
import { createWebServiceHandler } from '@watchword/server-ws';
import { dnOf } from '../login/people.ts';
import { PassingClock } from './clock.ts';
import { MemoryLedger, type MemoryStore } from './memory-store.ts';
import type { Person } from './oracle/oracle-people.ts';
import { storePerson } from './stored-people.ts';

export const apiKey = (id: number): string => `${id}_${'0123456789'.repeat(4)}`;
const sha256 = createHash('sha256').update('0123456789'.repeat(4)).digest('hex');

export const config = {
  // Those at 192.0.2.0/24 are believed; keys 7 and 8 are systems, of which 8 logs in with the password only.
  trusted_callers: ['192.0.2.0/24'],
  api_keys: { 7: { sha256 }, 8: { sha256, client: 'passwords' } },
  clients: { passwords: { settings: { 'Otp.LoginMode': 'LDAP' } } },
};

export type Config = NonNullable<FixtureOptions['config']>;
export type Answer = Readonly<Record<string, unknown>>;

/** Who is at the other end, beside the address. */
export interface Peer {
  readonly address: string;
  readonly key?: string | undefined;
}

export interface Node {
  readonly fixture: Fixture;
  readonly log: KeptLog;
  /** REST over HTTP, and in process for the peer `in-process`. */
  ask(peer: Peer, operation: LoginOperation, fields: object): Promise<Answer>;
  /** REST, whole. */
  answer(peer: Peer, operation: LoginOperation, fields: object): Promise<Response>;
}

type LoginOperation = 'NormalLogin' | 'SimpleLogin' | 'Challenge';

/** What the directory found. */
export interface Binds {
  readonly right: number;
  readonly wrong: number;
}

export interface Wishes {
  readonly clock?: TestClock;
  /** Instead of 2^20, for names that nobody has. */
  readonly slots?: number;
}

export interface Nodes {
  readonly clock: TestClock;
  readonly nodes: readonly [Node, Node];
  readonly events: readonly string[];
  /** Passwords that the directory was asked about, by DN. */
  readonly binds: ReadonlyMap<string, Binds>;
  readonly store: MemoryLedger;
  readonly ephemeral: MemoryStore;
  add(person: Person, settings?: object): Promise<void>;
  close(): Promise<void>;
}

export async function openNodes(
  more: Config = {},
  { clock = new PassingClock(), slots }: Wishes = {},
): Promise<Nodes> {
  const events: string[] = [];
  const passwords = new Map<string, string>();
  const binds = new Map<string, Binds>();
  const now = () => clock.now();
  const store = new MemoryLedger(now, events);
  const { ephemeral } = store;
  const shared = { ...{ clock, store, ephemeral }, events: kept(events) };
  const options = (log: KeptLog): FixtureOptions => ({
    config: { ...config, ...more },
    ports: ({ directory, keys }: Ports) => ({
      ...{ ...shared, log, directory: plain(directory, passwords, binds) },
      ...(slots !== undefined && { keys: withSlots(keys, slots) }),
    }),
  });
  const logs = [new KeptLog(), new KeptLog()] as const;
  const first = await openFixture(options(logs[0]));
  const second = await first.another(options(logs[1]));
  const nodes = [nodeOf(first, logs[0]), nodeOf(second, logs[1])] as const;
  return {
    ...{ clock, nodes, events, binds, store, ephemeral },
    add: async (person, settings) => {
      if (person.password !== undefined) passwords.set(key(dnOf(first, person.name)), person.password);
      await storePerson(first, person, settings);
    },
    close: async () => {
      await second.close();
      await first.close();
    },
  };
}

function nodeOf(fixture: Fixture, log: KeptLog): Node {
  const handler = createWebServiceHandler(fixture.service);
  const answer: Node['answer'] = async ({ address, key }, operation, fields) => {
    const headers = { 'content-type': 'application/json', ...(key !== undefined && { 'x-api-key': key }) };
    const url = `https://localhost:8443/otp/json/otp${operation}/`;
    const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(fields) });
    return handler(request, { address, port: 40_000 });
  };
  return {
    ...{ fixture, log, answer },
    ask: async (peer, operation, fields) => {
      if (peer.address === 'in-process') return inProcess(fixture, operation, fields);
      return (await answer(peer, operation, fields)).json() as Promise<Answer>;
    },
  };
}

function inProcess(
  { service: { web } }: Fixture,
  operation: LoginOperation,
  fields: object,
): Promise<Answer> {
  const calls = {
    NormalLogin: web.otp.normalLogin,
    SimpleLogin: web.otp.simpleLogin,
    Challenge: web.otp.challenge,
  };
  return calls[operation](fields);
}

const kept = (events: string[]): EventLog => ({
  append: async ({ text }) => void events.push(text),
  list: async () => [],
  placed: async () => [],
  async *exported() {},
  probe: async () => {},
  close: async () => {},
});

const key = (dn: string): string => dn.toLowerCase();

/** The directory, whose passwords are compared as they are, and counted where they are wrong. */
function plain(
  directory: DirectoryServer,
  passwords: ReadonlyMap<string, string>,
  binds: Map<string, Binds>,
): DirectoryServer {
  const authenticate = async (dn: Dn, password: string): Promise<Authentication> => {
    const of = key(dn.format());
    const { right, wrong } = binds.get(of) ?? { right: 0, wrong: 0 };
    const granted = passwords.get(of) === password;
    binds.set(of, granted ? { right: right + 1, wrong } : { right, wrong: wrong + 1 });
    return granted ? { granted, mustChange: false } : { granted, refusal: 'wrong_password' };
  };
  return instead(directory, 'authenticate', authenticate);
}

/** The same, but for one function of it. */
export const instead = <T extends object>(whole: T, name: keyof T, call: unknown): T =>
  new Proxy(whole, {
    get: (target, asked) => {
      if (asked === name) return call;
      const value: unknown = Reflect.get(target, asked, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** The digests that names which nobody has are told apart by are so few. */
export const withSlots = (keys: Ports['keys'], slots: number): Ports['keys'] =>
  instead(keys, 'digest', (text: string, purpose: string) => {
    const digest = keys.digest(text, purpose);
    return purpose === 'nobody'
      ? (Number.parseInt(digest.slice(0, 5), 16) % slots)
          .toString(16)
          .padStart(64, '0')
          .split('')
          .reverse()
          .join('')
      : digest;
  });
