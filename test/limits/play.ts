/** Plays steps on two nodes and on the oracle, and says where their answers part. */
import { dnOf, done } from '../login/people.ts';
import { type Member, makeCrowd, spell } from './crowd.ts';
import { type Answer, apiKey, type Peer as NodePeer, type Nodes } from './nodes.ts';
import { Oracle, type OracleOptions } from './oracle/oracle.ts';
import type { Attempt, Challenge, Credentials, Judged } from './oracle/oracle-attempt.ts';
import type { Caller } from './oracle/oracle-sources.ts';
import { credentialsOf } from './secrets.ts';
import { type AdminAction, type Login, type Peer, peers, type Step } from './steps.ts';

export interface Mismatch {
  readonly index: number;
  readonly what: string;
}

interface OpenChallenge {
  readonly session: string;
  readonly until: number;
  readonly challenge: Challenge;
}

const delay = 1000;
const challengeTime = 90_000;
/** A challenge that began further ahead of the clock than this is gone: nobody knows how long ago that was. */
const aheadTime = 60_000;
const verdicts: Readonly<Record<Judged['kind'], number>> = {
  granted: 1,
  challenge: 2,
  failed: 0,
  refused: 0,
};

export class Game {
  readonly #nodes: Nodes;
  readonly #crowd: readonly Member[];
  readonly #oracle: Oracle;
  readonly #challenges = new Map<string, OpenChallenge>();
  readonly #lastCodes = new Map<string, string>();
  /** What happened, for whoever looks for the reason of a mismatch. */
  readonly lines: string[] = [];

  constructor(nodes: Nodes, crowd: readonly Member[], options: OracleOptions = {}) {
    this.#nodes = nodes;
    this.#crowd = crowd;
    this.#oracle = new Oracle(options);
  }

  async play(steps: readonly Step[]): Promise<Mismatch | undefined> {
    for (const [index, step] of steps.entries()) {
      await this.#pass(step.wait);
      const member = this.#crowd['login' in step ? step.login.who : step.who] ?? this.#crowd[0];
      if (!member) continue;
      const what =
        'login' in step
          ? await this.#logIn(step.login, member)
          : void (await this.#administer(step.action, member));
      if (what !== undefined) return { index, what };
    }
    return undefined;
  }

  /** Where the clock is set back, an administrator resets those of whom nobody says what is then. */
  async #pass(wait: number): Promise<void> {
    const before = this.#nodes.clock.now();
    this.#nodes.clock.advance(wait);
    for (const member of wait < 0 ? this.#crowd : [])
      if (this.#oracle.isOpen(member.person.name, before, before + wait))
        await this.#administer('reset', member);
  }

  async #administer(action: AdminAction, { person }: Member): Promise<void> {
    const { clock, nodes } = this.#nodes;
    if (person.password === undefined) return;
    const [{ fixture }] = nodes;
    const dn = dnOf(fixture, person.name);
    this.lines.push(`${clock.now()} ${action} ${person.name}`);
    switch (action) {
      case 'start':
        await done(fixture, 'Otp.Block_Start', { dn });
        return this.#oracle.block(person.name, clock.now());
      case 'start for a while':
        await done(fixture, 'Otp.Block_Start', { dn, expires: 3600 });
        return this.#oracle.block(person.name, clock.now(), 3_600_000);
      case 'enable':
        if (!person.has.some(({ key }) => key === 'token')) return;
        await done(fixture, 'Otp.Token_Enable', { dn });
        return this.#oracle.renew(person.name, 'token');
      case 'reset':
        await done(fixture, 'Otp.Block_Reset', { dn });
        return this.#oracle.reset(person.name);
    }
  }

  async #logIn(login: Login, member: Member): Promise<string | undefined> {
    const { clock } = this.#nodes;
    const peer = peers[login.peer] ?? { address: 'in-process', believed: true };
    const at = clock.now();
    const open = this.#challenges.get(member.person.name);
    const isOpen = open && at < open.until && open.challenge.begun - at <= aheadTime;
    const challenge = isOpen ? open.challenge : undefined;
    const lastCode = this.#lastCodes.get(member.person.name);
    const credentials = credentialsOf(login, member.person, { now: at, lastCode, challenge });
    if (!credentials) return undefined;
    const mode = peer.keyId === 8 && !('answer' in credentials) ? 'LDAP' : member.mode;
    const { source } = login;
    const attempt: Attempt = {
      at,
      person: member.person,
      caller: callerOf(peer),
      mode,
      credentials,
      ...(source && { source }),
    };
    const answer = await this.#ask({ ...login, credentials }, peer, member);
    const expected = this.#oracle.attempt(attempt);
    this.lines.push(
      JSON.stringify({
        at,
        ...login,
        name: member.person.name,
        mode,
        peer: peer.address,
        ...credentials,
        expected,
        answer,
      }),
    );
    this.#note(member, { answer, expected, credentials });
    return this.#compare(answer, expected, at);
  }

  #compare(answer: Answer, expected: Judged, at: number): string | undefined {
    const { code, concat } = answer;
    if (code !== verdicts[expected.kind])
      return `expected ${JSON.stringify(expected)}, got ${JSON.stringify(answer)}`;
    if (expected.kind === 'granted' && concat !== expected.concat)
      return `expected concat ${expected.concat}, got ${concat}`;
    const took = this.#nodes.clock.now() - at;
    if (code === 0 && (took === 0 || took % delay !== 0)) return `answered after ${took} ms`;
    return undefined;
  }

  #ask(login: Login & { credentials: Credentials }, peer: Peer, { person }: Member): Promise<Answer> {
    const node = this.#nodes.nodes[login.node];
    const at: NodePeer = { address: peer.address, ...(peer.keyId && { key: apiKey(peer.keyId) }) };
    const { credentials } = login;
    const username = spell(person.name, login.spelling);
    const named = { username, ...(login.source !== undefined && { source: login.source }) };
    if ('text' in credentials)
      return node.ask(at, 'SimpleLogin', { ...named, anyPassword: credentials.text });
    if ('answer' in credentials) {
      const session = this.#challenges.get(person.name)?.session ?? '';
      return node.ask(at, 'Challenge', { username, session, otpPassword: credentials.answer });
    }
    const { password, code } = credentials as { password?: string; code?: string };
    const secrets = {
      ...(password !== undefined && { ldapPassword: password }),
      ...(code !== undefined && { otpPassword: code }),
    };
    return node.ask(at, 'NormalLogin', { ...named, ...secrets });
  }

  /** What challenges there are, and which code was good last. */
  #note(
    { person: { name } }: Member,
    { answer, expected, credentials }: { answer: Answer; expected: Judged; credentials: Credentials },
  ) {
    if (expected.kind === 'challenge') {
      const until = expected.at + challengeTime;
      this.#challenges.set(name, { session: String(answer.session), until, challenge: expected.challenge });
    }
    if (expected.kind !== 'granted') return;
    if ('answer' in credentials) this.#challenges.delete(name);
    const code =
      'answer' in credentials ? credentials.answer : 'code' in credentials ? credentials.code : undefined;
    if (code !== undefined) this.#lastCodes.set(name, code);
  }
}

const callerOf = ({ address, keyId, believed }: Peer): Caller => ({
  address,
  ...(keyId !== undefined && { shown: `key:${keyId}` }),
  ...(believed && { believed }),
});

/** One after the other: while the administrator's calls wait for one another, the clock of the nodes passes. */
export async function crowdOf(nodes: Nodes, crowd = makeCrowd((n) => `user${n}`)) {
  for (const { person, settings } of crowd)
    if (person.password !== undefined) await nodes.add(person, settings);
  return crowd;
}
