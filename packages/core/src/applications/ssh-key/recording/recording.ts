/**
 * Recordings of SSH sessions, which systems send in parts in the field `data`. They are sealed and limited in size and time. A recording
 * is identified by the hash of its session, and stored under the entry of its user.
 */
import { hash } from 'node:crypto';
import type { ServiceConfig } from '../../../config/config.ts';
import type { AccountName } from '../../../login/request.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import type { KeyState, TimedValue } from '../../../ports/store/ledger.ts';
import type { Store } from '../../../ports/store/store.ts';

export interface Recording {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly name: AccountName;
  /** The system that the session was on, and its account there. */
  readonly where: string;
  /** The beginning of the session and its last part, in milliseconds since 1970. */
  readonly begun: number;
  readonly last: number;
  readonly bytes: number;
  /** The space that its parts count for. */
  readonly space: Space;
  readonly parts: number;
  /** A bound was met: nothing more is kept of it. */
  readonly isFull?: true;
}

/** Families of the store for recordings and for their parts. */
export const [recordingFamily, partFamily] = ['ssh-recording', 'ssh-recording-part'] as const;

/** The space of all recordings. */
const spaceKey = 'ssh-recording-space:all';
const spaceKeyOf = (entry: string): string => `ssh-recording-space:of:${entry}`;

/** Bytes, by the days since 1970 on which the parts end that count for them. */
type Space = readonly (readonly [end: number, bytes: number])[];

const short = (text: string): string => hash('sha256', text).slice(0, 32);

export const recordingsOf = (entry: string): string => `${recordingFamily}:${short(entry)}.`;
export const recordingKey = (entry: string, id: string): string => `${recordingsOf(entry)}${id}`;
export const partKey = (id: string, part: number): string => `${partFamily}:${id}.${part}`;

/** @param session its id, a secret */
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

/** The facts that a recording keeps of its session. */
export type RecordedSession = Pick<Recording, 'id' | 'name' | 'where' | 'begun'> & { readonly entry: string };

/** A part, to be kept in the step that its session goes on with. */
export interface NextPart {
  readonly keys: readonly string[];
  /** `again`: another part was faster. `full`, `was full`: a bound is met, now or before. */
  write(
    found: KeyState,
    now: number,
  ): {
    readonly end: 'kept' | 'again' | 'full' | 'was full';
    readonly values: ReadonlyMap<string, TimedValue>;
  };
}

const day = 86_400_000;
const megabyte = 1_048_576;
/** Least bytes that a part counts for: many small ones fill a store as well. */
const leastPart = 1024;

export async function nextPart(
  session: RecordedSession,
  data: Uint8Array,
  view: RecordedView,
): Promise<NextPart> {
  const { keys, config } = view;
  const { session_mb, user_mb, total_mb, days } = config.ssh_recordings;
  const { entry, ...begun } = session;
  const key = recordingKey(entry, session.id);
  const read = (value: Uint8Array | undefined): Recording =>
    value ? openRecording(key, value, view) : { ...begun, last: begun.begun, bytes: 0, space: [], parts: 0 };
  const { parts } = read(await view.store.get(key));
  const part = partKey(session.id, parts);
  const ownKey = spaceKeyOf(entry);
  const sealed = keys.seal(data, part);
  const weight = Math.max(leastPart, data.length);
  const kept = (value: Uint8Array): TimedValue => ({ value, seconds: (days * day) / 1000 });
  const written = (recording: Recording) =>
    [key, kept(keys.seal(Buffer.from(JSON.stringify(recording)), key))] as const;
  return {
    keys: [key, part, spaceKey, ownKey],
    write: (found, now) => {
      const before = read(found.value(key));
      if (before.isFull) return { end: 'was full', values: new Map() };
      if (before.parts !== parts) return { end: 'again', values: new Map() };
      const today = Math.floor(now / day);
      // A part of a clock that was ahead lives until its own end comes.
      const living = (one: string) => spaceIn(found.value(one)).filter(([end]) => end >= today);
      const [all, own] = [living(spaceKey), living(ownKey)];
      const more = [today + days, weight] as const;
      const after = {
        ...{ ...before, last: now, bytes: before.bytes + data.length },
        ...{ space: added(before.space, more), parts: parts + 1 },
      };
      const isOver =
        sumOf(after.space) > session_mb * megabyte ||
        sumOf(own) + weight > user_mb * megabyte ||
        sumOf(all) + weight > total_mb * megabyte;
      if (isOver) return { end: 'full', values: new Map([written({ ...before, isFull: true })]) };
      return {
        end: 'kept',
        values: new Map([
          written(after),
          [part, kept(sealed)],
          [spaceKey, keptSpace(added(all, more))],
          [ownKey, keptSpace(added(own, more))],
        ]),
      };
    },
  };
}

/** Gives back the space of a recording that is removed. */
export async function freeSpace(
  { space }: Pick<Recording, 'space'>,
  entry: string,
  { store }: { readonly store: Pick<Store, 'update'> },
): Promise<void> {
  const freed = new Map(space);
  for (const key of [spaceKey, spaceKeyOf(entry)])
    await store.update(key, (value) => {
      const left = spaceIn(value).map(
        ([end, bytes]) => [end, Math.max(0, bytes - (freed.get(end) ?? 0))] as const,
      );
      return { result: undefined, after: keptSpace(left) };
    });
}

const spaceIn = (value: Uint8Array | undefined): Space =>
  value ? JSON.parse(Buffer.from(value).toString('latin1')) : [];

/** The lifetime of a part in seconds: ten years. */
const longestDays = 3650 * 86_400;

const keptSpace = (space: Space): TimedValue => ({
  value: Buffer.from(JSON.stringify(space), 'latin1'),
  seconds: longestDays,
});

function added(space: Space, [end, bytes]: Space[number]): Space {
  const sums = new Map(space);
  return [...sums.set(end, (sums.get(end) ?? 0) + bytes)];
}

const sumOf = (space: Space): number => space.reduce((sum, [, bytes]) => sum + bytes, 0);
