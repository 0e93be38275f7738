/**
 * The event log as a hash chain with signed checkpoints (docs/decisions/0027-event-log-is-a-signed-chain.md). With an export and the public
 * key anyone can detect changed, missing, inserted or swapped records.
 */
import { hash } from 'node:crypto';
import type { KeyRing } from '../keys.ts';
import type { AuditEvent, LinkedRecord } from './event-log.ts';

/** The last record of a chain. */
export interface ChainHead {
  /** 16 hexadecimal digits. */
  readonly chain: string;
  readonly number: number;
  readonly hash: string;
}

export interface Checkpoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The id of the signing key in the key ring. */
  readonly key: string;
  /** New counts of refusals since the last checkpoint: number of the record, count, time of the last. */
  readonly counted: readonly SignedCount[];
  /** The last record of this chain that was removed for its age. */
  readonly removed?: Pick<ChainHead, 'number' | 'hash'>;
  /** The parts of an export that it closes. */
  readonly exported?: readonly ChainPart[];
}

export type SignedCount = readonly [number: number, count: number, last: number];

/** The part of a chain in an export: from record `from` to this one. */
export interface ChainPart extends ChainHead {
  readonly from: number;
}

export type Content = { readonly event: AuditEvent } | { readonly checkpoint: Checkpoint };

/** A parsed {@link LinkedRecord.record}. */
export type ChainRecord = Content & {
  readonly chain: string;
  readonly number: number;
  readonly previous: string;
};

export const genesisHash = '0'.repeat(64);

/** Makes an empty chain, named by its first event. */
export const startChain = (first: AuditEvent): ChainHead => ({
  chain: hash('sha256', JSON.stringify(first)).slice(0, 16),
  number: 0,
  hash: genesisHash,
});

/** Makes the next record of a chain. */
export function linkRecord(previous: ChainHead, content: Content): LinkedRecord {
  const number = previous.number + 1;
  const { chain, hash: before } = previous;
  // Explicit, because the hash covers the order of the names.
  const record =
    'event' in content
      ? canonicalText({ chain, number, previous: before, event: content.event })
      : canonicalText({ chain, number, previous: before, checkpoint: content.checkpoint });
  return { number, hash: hash('sha256', record), record };
}

/** Writes JSON on one line, with U+2028 and U+2029 escaped, which some readers take for line ends. */
export function canonicalText(value: object): string {
  const text = JSON.stringify(value);
  if (!text.includes('\u2028') && !text.includes('\u2029')) return text;
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** Makes a signed checkpoint as the next record of a chain. */
export function signLink(
  previous: ChainHead,
  checkpoint: Omit<Checkpoint, 'key'>,
  keys: Pick<KeyRing, 'ids' | 'sign'>,
): LinkedRecord {
  const [key = ''] = keys.ids;
  const linked = linkRecord(previous, { checkpoint: { ...checkpoint, key } });
  return { ...linked, signature: keys.sign(linked.record, checkpointPurpose) };
}

/** The purpose of the keys that sign checkpoints. */
export const checkpointPurpose = 'event log';

/** The records, and the milliseconds, between two checkpoints. */
const [mostBetween, longestBetween] = [1000, 3_600_000];

/** Returns whether a checkpoint is due. @param last checkpoint; undefined for none */
export const isCheckpointDue = (
  last: { readonly number: number; readonly time: number } | undefined,
  { number, time }: { readonly number: number; readonly time: number },
): boolean =>
  last === undefined || number - last.number >= mostBetween || Math.abs(time - last.time) >= longestBetween;

/** Writes a line of an export, with the hashed text verbatim. */
export const exportLine = ({ hash, signature, record }: LinkedRecord): string =>
  `{"hash":"${hash}",${signature === undefined ? '' : `"signature":"${signature}",`}"record":${record}}`;
