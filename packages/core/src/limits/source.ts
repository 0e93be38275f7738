/** Keys of the limits: a user, however the name is spelled, and a source: a caller with the end user's address that it reports. */
import { hash } from 'node:crypto';
import type { BucketRule } from '../foundation/locks/token-bucket.ts';
import { addressBlock, ipv6SiteOf, isLoopback } from '../foundation/text/network.ts';
import type { KeyRing } from '../ports/keys.ts';
import { ipv6SiteRule, sourceRule } from './rate-limit.ts';

/** The key of a user, or of one of the slots for names without a user. */
export type UserKey = string;

/** Returns the key of a user. @param dn a DN, whose `key` is the same for every spelling */
export const userKey = (dn: { readonly key: string }): UserKey => `user:${short(dn.key)}`;

/** Returns one of 2^20 slots for a name without a user: a million names take no more room than one. */
export const nobodyKey = (dn: { readonly key: string }, keys: Pick<KeyRing, 'digest'>): UserKey =>
  `nobody:${keys.digest(dn.key, 'nobody').slice(0, 5)}`;

export interface Source {
  /** A hash of the caller and the reported address. */
  readonly id: string;
  /** Name of the source for people: `192.0.2.1`, `key:7, source 198.51.100.9`. */
  readonly words: string;
  /** The token buckets over all users; none: a trusted caller that reports no addresses. */
  readonly buckets: readonly BucketRule[];
  /** The key of a trusted caller that reports no addresses: its failures are watched, and never refused. */
  readonly watched?: string;
}

/** A caller as it is known. */
export interface CallerWords {
  /** `key:7`, `certificate:portal`, else `address:192.0.2.1`. */
  readonly key: string;
  /** The IP address, or `in-process`. */
  readonly address: string;
  /** The caller has authenticated, or its address is in `trusted_callers`. */
  readonly trusted: boolean;
}

/** Returns the source of an attempt. @param source the end user's address, as the caller reports it: used for trusted callers only */
export function sourceOf(caller: CallerWords, source: string | undefined): Source {
  const { key } = caller;
  const reported = caller.trusted ? reportedAddress(caller, source) : undefined;
  const id = short(JSON.stringify([key, reported ?? '']));
  const words = reported === undefined ? key.replace(/^address:/, '') : `${key}, source ${reported}`;
  if (caller.trusted && reported === undefined) return { id, words, buckets: [], watched: key };
  return { id, words, buckets: bucketsOf(id, key, reported ?? addressBlock(caller.address)) };
}

/** Returns the reported address; loopback and the caller's own address name no user's. */
function reportedAddress({ address }: CallerWords, source: string | undefined): string | undefined {
  if (source === undefined || isLoopback(source)) return undefined;
  const holder = addressBlock(source);
  return holder === addressBlock(address) ? undefined : holder;
}

function bucketsOf(id: string, caller: string, holder: string): readonly BucketRule[] {
  const site = ipv6SiteOf(holder);
  if (site === undefined) return [sourceRule(id)];
  const isOwn = caller.startsWith('address:');
  return [sourceRule(id), ipv6SiteRule(short(JSON.stringify([isOwn ? '' : caller, site])))];
}

/**
 * Returns the source of an administrator who checks passwords: a scope of its own, which is never among the known sources.
 * @param dn the administrator
 */
export const administratorSource = (dn: { readonly key: string }, words: string): Source => ({
  id: `administrator:${short(dn.key)}`,
  words,
  buckets: [],
});

/** The scope of all unknown sources together. */
export const unknownSources = 'strangers';

/** Returns 128 bits of SHA-256. */
const short = (text: string): string => hash('sha256', text).slice(0, 32);
