/** The methods for recordings of SSH sessions: list, read and remove. */
import { entryIdentifier } from '../../../directory/entry/identifier.ts';
import type { EntryView } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import type { Store } from '../../../ports/store/store.ts';
import { written } from '../../../table/schema/index.ts';
import {
  freeSpace,
  openRecording,
  partKey,
  type RecordedView,
  type Recording,
  recordingKey,
  recordingsOf,
} from './recording.ts';

export type RecordingsView = Pick<RecordedView, 'keys'> &
  Omit<EntryView, 'config'> & {
    readonly store: Pick<Store, 'get' | 'family' | 'remove' | 'take' | 'update'>;
  };

/** The last one first. @throws ServiceError `not_found` */
export async function recordingsOfUser(dn: Dn, view: RecordingsView): Promise<readonly Recording[]> {
  const begin = recordingsOf(await entryIdentifier(dn, view));
  const family = begin.slice(0, begin.indexOf(':'));
  const found: Recording[] = [];
  for await (const page of view.store.family(family))
    for (const { key, value } of page) if (key.startsWith(begin)) found.push(openRecording(key, value, view));
  return found.sort((one, other) => other.last - one.last);
}

export interface RecordedBytes {
  readonly data: Uint8Array;
  /** The next part to read; undefined: there is none. */
  readonly next: number | undefined;
}

/** Most bytes in one answer; a single part may be larger. */
const most = 1_048_576;

/** @param from the part to begin with @throws ServiceError `not_found` */
export async function readRecording(
  dn: Dn,
  { id, from = 0 }: { readonly id: string; readonly from?: number | undefined },
  view: RecordingsView,
): Promise<RecordedBytes> {
  const { parts } = await findRecording(dn, id, view);
  const read: Uint8Array[] = [];
  let [next, bytes] = [from, 0];
  for (; next < parts; next += 1) {
    const key = partKey(id, next);
    const value = await view.store.get(key);
    // The first parts end before the last ones.
    if (!value) continue;
    const data = view.keys.open(value, key);
    if (bytes > 0 && bytes + data.length > most) break;
    read.push(data);
    bytes += data.length;
  }
  return { data: Buffer.concat(read), next: next < parts ? next : undefined };
}

/** @throws ServiceError `not_found` */
export async function removeRecording(dn: Dn, id: string, view: RecordingsView): Promise<void> {
  // The record is taken before its parts are counted: a part that comes meanwhile belongs to a new recording.
  const recording = await findRecording(dn, id, view, 'take');
  for (let part = 0; part < recording.parts; part += 1) await view.store.remove(partKey(id, part));
  await freeSpace(recording, await entryIdentifier(dn, view), view);
}

async function findRecording(
  dn: Dn,
  id: string,
  view: RecordingsView,
  how: 'get' | 'take' = 'get',
): Promise<Recording> {
  const key = recordingKey(await entryIdentifier(dn, view), id);
  const value = await view.store[how](key);
  if (!value) throw new ServiceError('not_found', { detail: 'The user has no such recording' });
  return openRecording(key, value, view);
}

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };

/** Moments in UTC, `YYYY-MM-DD HH:MM:SS`. */
export const recordingReport = () =>
  written(
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...{ id: text, user: text, where: text, begun: text, last: text },
          ...{ bytes: whole, full: { type: 'boolean' } },
        },
      },
    },
    (all: readonly Recording[]) =>
      all.map(({ id, name, where, begun, last, bytes, isFull = false }) => ({
        ...{ id, user: `${name.domain}\\${name.username}`, where },
        ...{ begun: formatTimestamp(begun), last: formatTimestamp(last), bytes, full: isFull },
      })),
  );

/** `data` in base64; `next`: where to go on, false: that was all. */
export const recordedBytes = () =>
  written(
    {
      type: 'object',
      properties: { data: text, next: { oneOf: [whole, { const: false }] } },
    },
    ({ data, next }: RecordedBytes) => ({
      data: Buffer.from(data).toString('base64'),
      next: next ?? (false as const),
    }),
  );
