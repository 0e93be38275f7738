/** A lock over processes: a record that its owner renews. It is free after its lifetime, or when the process has ended. */
import { utf8Text } from '../text/value.ts';

/** Milliseconds from the last renewal until a lock is free: well below {@link usualPatience} of a wait queue. */
export const lockLifetime = 5000;
/** Seconds; longer than records of token buckets: of too many records, those that end first are dropped. */
const recordSeconds = 300;

interface LockRecord {
  readonly owner: string;
  /** The process of the owner. */
  readonly holder: string;
  /** The last renewal, in milliseconds since 1970. */
  readonly since: number;
}

/** @param owner distinguishes this lock from all others; it has nothing to escape in JSON */
export function lockRecord(
  owner: string,
  { now, holder }: { readonly now: number; readonly holder: string },
) {
  const text = `${beginOf(owner)}"holder":${JSON.stringify(holder)},"since":${now}}`;
  return { value: Buffer.from(text, 'latin1'), seconds: recordSeconds };
}

export function isUnlocked(
  record: Uint8Array | undefined,
  { now, hasEnded }: { readonly now: number; hasEnded(holder: string): boolean },
): boolean {
  if (!record) return true;
  const { since, holder }: LockRecord = JSON.parse(utf8Text(record));
  const age = now - since;
  // A lock of a clock that was ahead is free, too.
  return !(age < lockLifetime && age >= -lockLifetime) || hasEnded(holder);
}

/** Returns whether the owner still has the lock. */
export const isOwned = (record: Uint8Array | undefined, owner: string): boolean =>
  record !== undefined && utf8Text(record).startsWith(beginOf(owner));

/** Returns the begin of a record, which shows the owner without parsing. */
const beginOf = (owner: string): string => `{"owner":"${owner}",`;
