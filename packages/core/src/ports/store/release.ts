/** Applies the releases of a commit, for every engine. */
import { isOwned } from '../../foundation/locks/lock.ts';
import {
  type BucketMoment,
  bucketRecord,
  ended,
  readBucket,
  spent,
} from '../../foundation/locks/token-bucket.ts';
import type { EphemeralStepState, LockRelease, TimedValue, ValueAt } from './ledger.ts';

/** Returns the value of `release.key` after the release; null: none; undefined: unchanged. */
export function released(
  value: Uint8Array | undefined,
  release: LockRelease,
  moment: BucketMoment,
): TimedValue | null | undefined {
  if (release.kind === 'unlock') return isOwned(value, release.owner) ? null : undefined;
  const { rule, change } = release;
  const bucket = readBucket(value, rule, moment);
  return bucketRecord(
    change === 'spend'
      ? spent(bucket, rule)
      : ended(bucket, rule, { isKept: change === 'keep', holder: moment.holder }),
  );
}

/** Returns the values after some releases, one after the other. @param holder see `Ledger.holder` */
export function releasedValues(
  releases: readonly LockRelease[],
  state: EphemeralStepState,
  holder: string,
): readonly ValueAt[] {
  const moment = { now: state.now, holder, hasEnded: (other: string) => state.hasEnded(other) };
  const values: ValueAt[] = [];
  for (const release of releases) {
    const [, before] = values.findLast(([key]) => key === release.key) ?? [];
    const value = before === undefined ? state.value(release.key) : before?.value;
    const after = released(value, release, moment);
    if (after !== undefined) values.push([release.key, after]);
  }
  return values;
}
