/**
 * Credentials of a sign-in that waits for its second factor, after which the directory is bound with them. They are stored under a hash of
 * the challenge's session, from which the key is derived as well: the store alone reveals no password.
 */
import { hash, hkdfSync } from 'node:crypto';
import { KeyRing } from '../../../ports/keys.ts';
import type { Random } from '../../../ports/random.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Credentials } from '../identity/credentials.ts';

interface WaitingView {
  readonly store: Pick<Store, 'put' | 'get' | 'remove'>;
  readonly random: Random;
}

/** The family of waiting credentials in the store. */
export const waitingFamily = 'portal-waiting';

const placeOf = (session: string): string => `${waitingFamily}:${hash('sha256', session)}`;

function ringOf(session: string, random: Random): KeyRing {
  const key = hkdfSync('sha256', Buffer.from(session), '', 'watchword portal sign-in', 32);
  return new KeyRing([new Uint8Array(key)], random);
}

/** @param seconds for which the challenge may be answered */
export async function keepWaiting(
  session: string,
  { username, password }: Credentials,
  { seconds, store, random }: WaitingView & { readonly seconds: number },
): Promise<void> {
  const place = placeOf(session);
  const text = Buffer.from(JSON.stringify({ username, password }));
  await store.put(place, ringOf(session, random).seal(text, place), seconds);
}

/** Undefined: no sign-in to the portal waits for an answer in this session. */
export async function findWaiting(
  session: string,
  { store, random }: WaitingView,
): Promise<Credentials | undefined> {
  const place = placeOf(session);
  const sealed = await store.get(place);
  if (!sealed) return undefined;
  return JSON.parse(Buffer.from(ringOf(session, random).open(sealed, place)).toString('utf8'));
}

export const endWaiting = (session: string, { store }: WaitingView): Promise<void> =>
  store.remove(placeOf(session));
