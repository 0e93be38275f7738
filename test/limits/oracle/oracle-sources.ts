/** Oracle: callers and sources (docs/concepts/callers-and-sources.md), and the counters of the rate limit. */
import { isIPv4 } from 'node:net';

export interface Caller {
  /** Who it is: `key:7`, `certificate:vpn`, or left out: its address says it. */
  readonly shown?: string;
  readonly address: string;
  /** Of addresses: it is in `trusted_callers`. */
  readonly believed?: boolean;
}

export interface Source {
  /** Two attempts are of one source if this is the same. */
  readonly id: string;
  readonly caller: string;
  /** Counters of failures there, over all users: of the source, and of the /48 around it. */
  readonly counted: readonly { readonly key: string; readonly most: number; readonly every: number }[];
}

export function sourceOf(caller: Caller, source: string | undefined): Source {
  const trusted = caller.shown !== undefined || caller.believed === true;
  const own = holder(caller.address);
  const who = caller.shown ?? `address:${own}`;
  const reported = trusted && source !== undefined && !isLoopback(source) && holder(source) !== own;
  const known = { id: `${who} ${reported ? holder(source) : ''}`, caller: who };
  if (trusted && !reported) return { ...known, counted: [] };
  const single = { key: `place ${known.id}`, most: 20, every: 3000 };
  const around = wordsOf(reported ? source : caller.address)
    ?.slice(0, 3)
    .join(':');
  // Sources belong to the caller that tells them.
  const wide = { key: `/48 ${reported ? who : ''} ${around}`, most: 200, every: 300 };
  return { ...known, counted: around === undefined ? [single] : [single, wide] };
}

/** An IPv4 address, also one that is written as IPv6; of IPv6 the first 64 bits. */
function holder(address: string): string {
  const words = wordsOf(address);
  return words ? `${words.slice(0, 4).join(':')}::/64` : plain(address);
}

/** `192.0.2.1`, however an IPv4 address is written. */
function plain(address: string): string {
  if (isIPv4(address)) return address;
  const [high = 0, low = 0] = allWords(address).slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The 16-bit words of an IPv6 address that is no IPv4 address in disguise. */
function wordsOf(address: string): readonly number[] | undefined {
  if (isIPv4(address)) return undefined;
  const words = allWords(address);
  return words.slice(0, 6).join() === '0,0,0,0,0,65535' ? undefined : words;
}

function allWords(address: string): readonly number[] {
  const dotted = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [a = 0, b = 0, c = 0, d = 0] = dotted?.slice(1).map(Number) ?? [];
  const hex = [a * 256 + b, c * 256 + d].map((word) => word.toString(16)).join(':');
  const [head = '', tail] = (dotted ? address.slice(0, dotted.index) + hex : address).split('::');
  const [left = [], right = []] = [head, tail ?? ''].map((part) =>
    part.split(':').filter((word) => word !== ''),
  );
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((word) => Number.parseInt(word, 16));
}

const isLoopback = (address: string): boolean =>
  wordsOf(address)?.join() === '0,0,0,0,0,0,0,1' || plain(address).startsWith('127.');
