/**
 * Recordings of SSH sessions: what systems send in `data`, in the parts in which it came, sealed, within bounds and for a while. A
 * recording is known by the hash of its session, which opens nothing, and stands under the entry of its user.
 */
import { hash } from 'node:crypto';
import type { ServiceConfig } from '../../config/config.ts';
import type { AccountName } from '../../login/login-request.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { StateBefore, TimedValue } from '../../ports/ledger.ts';
import type { Store } from '../../ports/store.ts';

export interface Recording {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly name: AccountName;
  /** Where the session was, and as whom. */
  readonly where: string;
  /** In milliseconds since 1970: when the session began, and when the last part came. */
  readonly begun: number;
  readonly last: number;
  readonly bytes: number;
  readonly parts: number;
  /** A bound was met: nothing more is kept of it. */
  readonly isFull?: true;
}

/** What the store keeps recordings under, and their parts. */
export const [recordingFamily, partFamily] = ['ssh-recording', 'ssh-recording-part'] as const;

/** The bytes that came on each of the last days, of all recordings. */
const spaceKey = 'ssh-recording-space:all';

const short = (text: string): string => hash('sha256', text).slice(0, 32);

export const recordingsOf = (entry: string): string => `${recordingFamily}:${short(entry)}.`;
export const recordingKey = (entry: string, id: string): string => `${recordingsOf(entry)}${id}`;
export const partKey = (id: string, part: number): string => `${partFamily}:${id}.${part}`;

/** @param session its id, which must not be told */
export const recordingId = (session: string): string => short(`recording:${session}`);

export interface RecordedView {
  readonly store: Pick<Store, 'get'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
  readonly config: Pick<ServiceConfig, 'ssh_recordings'>;
}

export const openRecording = (
  key: string,
  value: Uint8Array,
  { keys }: Pick<RecordedView, 'keys'>,
): Recording => JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));

/** What a session is recorded as. */
export type RecordedSession = Pick<Recording, 'id' | 'name' | 'where' | 'begun'> & { readonly entry: string };

/** A part, to be kept in the step that its session goes on with. */
export interface NextPart {
  readonly keys: readonly string[];
  /** `again`: another part was faster. `full`, `was full`: a bound is met, now or before. */
  write(
    found: StateBefore,
    now: number,
  ): {
    readonly end: 'kept' | 'again' | 'full' | 'was full';
    readonly values: ReadonlyMap<string, TimedValue>;
  };
}

const day = 86_400_000;
const megabyte = 1_048_576;
/** A part counts for so many bytes at least: many small ones fill a store as well. */
const leastPart = 1024;

export async function nextPart(
  session: RecordedSession,
  data: Uint8Array,
  view: RecordedView,
): Promise<NextPart> {
  const { keys, config } = view;
  const { session_mb, total_mb, days } = config.ssh_recordings;
  const { entry, ...begun } = session;
  const key = recordingKey(entry, session.id);
  const read = (value: Uint8Array | undefined): Recording =>
    value ? openRecording(key, value, view) : { ...begun, last: begun.begun, bytes: 0, parts: 0 };
  const { parts } = read(await view.store.get(key));
  const part = partKey(session.id, parts);
  const sealed = keys.seal(data, part);
  const weight = Math.max(leastPart, data.length);
  const kept = (value: Uint8Array): TimedValue => ({ value, seconds: (days * day) / 1000 });
  const written = (recording: Recording) =>
    [key, kept(keys.seal(Buffer.from(JSON.stringify(recording)), key))] as const;
  return {
    keys: [key, part, spaceKey],
    write: (found, now) => {
      const before = read(found.value(key));
      if (before.isFull) return { end: 'was full', values: new Map() };
      if (before.parts !== parts) return { end: 'again', values: new Map() };
      const space = spaceIn(found.value(spaceKey), now, days);
      const after = { ...before, last: now, bytes: before.bytes + weight, parts: parts + 1 };
      const all = [...space.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (after.bytes > session_mb * megabyte || all + weight > total_mb * megabyte)
        return { end: 'full', values: new Map([written({ ...before, isFull: true })]) };
      const today = Math.floor(now / day);
      const counted = [...space.set(today, (space.get(today) ?? 0) + weight)];
      return {
        end: 'kept',
        values: new Map([written(after), [part, kept(sealed)], [spaceKey, kept(textOf(counted))]]),
      };
    },
  };
}

/** Gives back what a recording counts for that is removed, from the days on which it came. */
export async function freeSpace(
  { begun, last, bytes }: Pick<Recording, 'begun' | 'last' | 'bytes'>,
  { store }: { readonly store: Pick<Store, 'update'> },
): Promise<void> {
  await store.update(spaceKey, (value) => {
    if (!value) return { result: undefined };
    let left = bytes;
    const space = daysIn(value).map(([one, there]) => {
      const isOfIt = one >= Math.floor(begun / day) && one <= Math.floor(last / day);
      const freed = isOfIt ? Math.min(left, there) : 0;
      left -= freed;
      return [one, there - freed] as const;
    });
    return { result: undefined, after: { value: textOf(space), seconds: longestDays } };
  });
}

/** In seconds: ten years, which no part outlives. */
const longestDays = 3650 * 86_400;

type Days = readonly (readonly [day: number, bytes: number])[];

const daysIn = (value: Uint8Array): Days => JSON.parse(Buffer.from(value).toString('latin1'));
const textOf = (days: Days): Uint8Array => Buffer.from(JSON.stringify(days), 'latin1');

/** By the days since 1970, of those whose parts are still there. */
function spaceIn(value: Uint8Array | undefined, now: number, days: number): Map<number, number> {
  const all = value ? daysIn(value) : [];
  const today = Math.floor(now / day);
  return new Map(all.filter(([one]) => one >= today - days && one <= today));
}
