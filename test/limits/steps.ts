/**
 * Random attempts: users, strangers, several callers and places, administrators, and a clock that is moved. A step is
 * data, so that a run can be played again with fewer of them.
 */
import { type Chance, chanceOf } from './chance.ts';

export interface Peer {
  readonly address: string;
  readonly keyId?: number;
  /** It stands in `trusted_callers`, or is in process. */
  readonly believed?: boolean;
}

/** Untrusted ones first: of IPv4, also written as IPv6, and of a few networks of IPv6. */
export const peers: readonly Peer[] = [
  { address: '203.0.113.1' },
  { address: '203.0.113.2' },
  { address: '::ffff:203.0.113.1' },
  { address: '2001:db8:a:1::1' },
  { address: '2001:db8:a:1::ffff' },
  { address: '2001:db8:a:2::1' },
  { address: '192.0.2.10', believed: true },
  { address: '192.0.2.11', believed: true },
  { address: '198.18.0.5', keyId: 7 },
  { address: '198.18.0.6', keyId: 7 },
  { address: '203.0.113.1', keyId: 8 },
  { address: 'in-process', believed: true },
];

const sources = [
  ...[undefined, undefined, undefined, '198.51.100.1', '198.51.100.2', '::ffff:198.51.100.1'],
  ...[
    '2001:db8:b:1::1',
    '2001:db8:b:1::2',
    '2001:db8:b:2::1',
    '127.0.0.1',
    '::1',
    '192.0.2.10',
    '198.18.0.5',
  ],
];

export type Word = 'right' | 'wrong' | 'used' | 'none';

export interface Login {
  readonly node: 0 | 1;
  readonly peer: number;
  readonly source?: string | undefined;
  /** Of the people, or of names that nobody has. */
  readonly who: number;
  readonly spelling: number;
  readonly password: Word;
  readonly code: Word;
  readonly form: 'fields' | 'text' | 'answer';
  /** Makes wrong values different. */
  readonly salt: number;
}

export type AdminAction = 'start' | 'start for a while' | 'reset' | 'enable';

export type Step =
  | { readonly wait: number; readonly login: Login }
  | { readonly wait: number; readonly action: AdminAction; readonly who: number };

/** How a run is: how fast, how many places, how clumsy or wicked those in it are. */
interface Mood {
  readonly pace: number;
  readonly peers: readonly number[];
  readonly people: number;
  readonly right: number;
  readonly jumps: number;
}

/** @param isSteady nobody moves the clock back */
export function makeSteps(seed: number, count: number, isSteady = false): readonly Step[] {
  const chance = chanceOf(seed);
  const jumps = isSteady ? 0 : chance.one([0, 0, 0.01, 0.05]);
  const mood: Mood = {
    pace: chance.one([500, 5000, 60_000, 600_000, 3_600_000]),
    peers: Array.from({ length: chance.below(5) + 1 }, () => chance.below(peers.length)),
    // The last of them is nobody, whom no administrator can reset where the clock is set back.
    people: chance.below(jumps > 0 ? 7 : 8) + 1,
    right: chance.one([0.02, 0.1, 0.3, 0.6]),
    jumps,
  };
  return Array.from({ length: count }, () => makeStep(chance, mood));
}

function makeStep(chance: Chance, mood: Mood): Step {
  const wait = makeWait(chance, mood);
  const who = chance.below(mood.people);
  if (chance.is(0.003))
    return { wait, who, action: chance.one(['start', 'start for a while', 'reset', 'reset', 'enable']) };
  return { wait, login: makeLogin(chance, { mood, who }) };
}

function makeWait(chance: Chance, { pace, jumps }: Mood): number {
  if (chance.is(jumps)) return chance.one([-1, 1]) * chance.below(chance.one([2000, 3_600_000, 86_400_000]));
  if (chance.is(0.02)) return chance.one([300_000, 600_000, 3_600_000, 86_400_000, 3 * 86_400_000]);
  return chance.is(0.5) ? chance.below(1500) : chance.below(pace);
}

function makeLogin(chance: Chance, { mood, who }: { mood: Mood; who: number }): Login {
  const word = (): Word =>
    chance.is(mood.right) ? 'right' : chance.one(['wrong', 'wrong', 'wrong', 'right', 'used', 'none']);
  const peer = chance.is(0.95) ? chance.one(mood.peers) : chance.below(peers.length);
  return {
    ...{ node: chance.one([0, 1]), peer, source: chance.one(sources), who, spelling: chance.below(4) },
    ...{ password: word(), code: word(), salt: chance.below(1_000_000) },
    form: chance.one(['fields', 'fields', 'fields', 'text', 'answer']),
  };
}
