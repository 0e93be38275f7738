/**
 * The words of concepts.md §7: who is counted. A *user*, however the name is spelled; the *caller* who is connected; a
 * *place*, which is a caller with the `source` that it is believed; a *ground*, on which a user is counted.
 */
import { hash } from 'node:crypto';
import type { BucketRule } from '../foundation/locks/token-bucket.ts';
import { addressHolder, isLoopback, siteOf } from '../foundation/text/network.ts';
import type { KeyRing } from '../ports/keys.ts';
import { siteRule, sourceRule } from './rate-limit.ts';

/** Stands for a user, or for one of the names that nobody has. */
export type UserKey = string;

/** Whoever is there: every spelling of a name is one user. @param dn whose `key` is the same for every spelling */
export const userKey = (dn: { readonly key: string }): UserKey => `user:${short(dn.key)}`;

/** A name that nobody has shares one of 2^20 counters: a million names take no more room than one. */
export const nobodyKey = (dn: { readonly key: string }, keys: Pick<KeyRing, 'digest'>): UserKey =>
  `nobody:${keys.digest(dn.key, 'nobody').slice(0, 5)}`;

export interface Place {
  /** Stands for caller and source. */
  readonly id: string;
  /** For people: `192.0.2.1`, `key:7, source 198.51.100.9`. */
  readonly words: string;
  /** Its failures over all users (rule 4); none: a trusted caller that does not tell where its users are. */
  readonly buckets: readonly BucketRule[];
  /** The same caller, of whom failures are an event at most. */
  readonly calm?: string;
}

/** What is known of a caller. */
export interface CallerWords {
  /** By what it has shown, `key:7`, `certificate:portal`, else `address:192.0.2.1`. */
  readonly key: string;
  /** Its IP address, or `in-process`. */
  readonly address: string;
  /** It has shown who it is, or stands where it is believed. */
  readonly trusted: boolean;
}

/** @param source the end user's address, as the caller tells it: it is believed of trusted callers only */
export function placeOf(caller: CallerWords, source: string | undefined): Place {
  const { key } = caller;
  const told = caller.trusted ? toldSource(caller, source) : undefined;
  const id = short(JSON.stringify([key, told ?? '']));
  const words = told === undefined ? key.replace(/^address:/, '') : `${key}, source ${told}`;
  if (caller.trusted && told === undefined) return { id, words, buckets: [], calm: key };
  return { id, words, buckets: bucketsOf(id, key, told ?? addressHolder(caller.address)) };
}

/** Loopback, or the caller's own address, says nothing of where a user is. */
function toldSource({ address }: CallerWords, source: string | undefined): string | undefined {
  if (source === undefined || isLoopback(source)) return undefined;
  const holder = addressHolder(source);
  return holder === addressHolder(address) ? undefined : holder;
}

function bucketsOf(id: string, caller: string, holder: string): readonly BucketRule[] {
  const site = siteOf(holder);
  if (site === undefined) return [sourceRule(id)];
  const isOwn = caller.startsWith('address:');
  return [sourceRule(id), siteRule(short(JSON.stringify([isOwn ? '' : caller, site])))];
}

/**
 * An administrator who checks passwords (rule 8): a ground of its own, which is never among the known places.
 * @param dn of the administrator
 */
export const administratorPlace = (dn: { readonly key: string }, words: string): Place => ({
  id: `administrator:${short(dn.key)}`,
  words,
  buckets: [],
});

/** All places together that a user does not know. */
export const strangers = 'strangers';

/** 128 bits of SHA-256: no two that anybody could find have the same. */
const short = (text: string): string => hash('sha256', text).slice(0, 32);
