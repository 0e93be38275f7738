/**
 * The event log as a chain: each record names the hash of the one before it, and signed checkpoints stand in between. So whoever
 * has an export and the public key alone can tell whether a record was changed, dropped, inserted, swapped or cut off.
 */
import { hash } from 'node:crypto';
import type { KeyRing } from '../keys.ts';
import type { AuditEvent, LinkedRecord } from './event-log.ts';

/** Where a chain stands: its last record. */
export interface Head {
  /** 16 hexadecimal digits. */
  readonly chain: string;
  readonly number: number;
  readonly hash: string;
}

export interface Checkpoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Of the key ring: the id of the key whose signature it has. */
  readonly key: string;
  /** Refusals of this chain that were counted again since the last checkpoint: number, how often, when last. */
  readonly counted: readonly ToldCount[];
  /** The last record of this chain that was removed for its age. */
  readonly removed?: Pick<Head, 'number' | 'hash'>;
  /** It closes an export of these. */
  readonly exported?: readonly ChainPart[];
}

export type ToldCount = readonly [number: number, count: number, last: number];

/** What an export has of a chain: from its record `from` up to this one. */
export interface ChainPart extends Head {
  readonly from: number;
}

export type Content = { readonly event: AuditEvent } | { readonly checkpoint: Checkpoint };

/** What a record says, read: {@link LinkedRecord.record}. */
export type Said = Content & { readonly chain: string; readonly number: number; readonly previous: string };

export const noHash = '0'.repeat(64);

/** A chain that has no record yet, called after what comes first. */
export const newChain = (first: AuditEvent): Head => ({
  chain: hash('sha256', JSON.stringify(first)).slice(0, 16),
  number: 0,
  hash: noHash,
});

/** The next record of a chain. */
export function link(previous: Head, content: Content): LinkedRecord {
  const number = previous.number + 1;
  const { chain, hash: before } = previous;
  // Written out: the order of the names is what is hashed.
  const record =
    'event' in content
      ? textOf({ chain, number, previous: before, event: content.event })
      : textOf({ chain, number, previous: before, checkpoint: content.checkpoint });
  return { number, hash: hash('sha256', record), record };
}

/** JSON on one line, also for who takes U+2028 and U+2029 for the end of one. */
export function textOf(value: object): string {
  const text = JSON.stringify(value);
  if (!text.includes('\u2028') && !text.includes('\u2029')) return text;
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The next record of a chain, signed. */
export function sealLink(
  previous: Head,
  checkpoint: Omit<Checkpoint, 'key'>,
  keys: Pick<KeyRing, 'ids' | 'sign'>,
): LinkedRecord {
  const [key = ''] = keys.ids;
  const linked = link(previous, { checkpoint: { ...checkpoint, key } });
  return { ...linked, signature: keys.sign(linked.record, signing) };
}

/** The purpose of the keys that sign checkpoints. */
export const signing = 'event log';

/** So many records, or so many milliseconds, after the last checkpoint there is another one. */
const [mostBetween, longestBetween] = [1000, 3_600_000];

/** Whether a checkpoint is due. @param last undefined: there was none */
export const isDue = (
  last: { readonly number: number; readonly time: number } | undefined,
  { number, time }: { readonly number: number; readonly time: number },
): boolean =>
  last === undefined || number - last.number >= mostBetween || Math.abs(time - last.time) >= longestBetween;

/** A line of an export. What is hashed stands in it as it is. */
export const lineOf = ({ hash, signature, record }: LinkedRecord): string =>
  `{"hash":"${hash}",${signature === undefined ? '' : `"signature":"${signature}",`}"record":${record}}`;
