/** Where copies come from. Kept in the store, sealed, under the name that the copy has here. */
import { hash } from 'node:crypto';
import { Dn } from '../../foundation/text/dn.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Store } from '../../ports/store/store.ts';

/** What the store keeps them under. */
export const mirrorFamily = 'mirror';

/** What an object is known by elsewhere. */
export interface Origin {
  readonly remote: Dn;
  /** Stays when the object is renamed or moved there; undefined: it is not told. */
  readonly uuid: string | undefined;
}

export interface Copy extends Origin {
  /** Its name here. */
  readonly local: Dn;
  /** The identifier of its entry here. */
  readonly entry: string;
}

export interface CopiesView {
  readonly store: Pick<Store, 'get' | 'update' | 'take' | 'family'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
}

/** In seconds: a copy is known until it is removed. */
const forEver = 1000 * 366 * 86_400;

const keyOf = (local: Dn): string => `${mirrorFamily}:${hash('sha256', local.key)}`;

export async function copyAt(local: Dn, { store, keys }: CopiesView): Promise<Copy | undefined> {
  const key = keyOf(local);
  const value = await store.get(key);
  return value && opened(key, value, keys);
}

function opened(key: string, value: Uint8Array, keys: CopiesView['keys']): Copy {
  const { remote, local, ...rest } = JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));
  return { ...rest, remote: Dn.parse(remote), local: Dn.parse(local) };
}

/** Of many at the same time the last counts. */
export async function keepCopy(copy: Copy, { store, keys }: CopiesView): Promise<void> {
  const key = keyOf(copy.local);
  const text = JSON.stringify({ ...copy, remote: copy.remote.format(), local: copy.local.format() });
  const after = { value: keys.seal(Buffer.from(text), key), seconds: forEver };
  await store.update(key, () => ({ result: undefined, after }));
}

export async function forgetCopy({ local }: Pick<Copy, 'local'>, { store }: CopiesView): Promise<void> {
  await store.take(keyOf(local));
}

/** Those directly below a container, in no order. */
export async function* copiesBelow(container: Dn, { store, keys }: CopiesView): AsyncIterable<Copy> {
  for await (const page of store.family(mirrorFamily))
    for (const { key, value } of page) {
      const copy = opened(key, value, keys);
      if (copy.local.parent?.equals(container)) yield copy;
    }
}

/** By what does not change, where both have it; else by its name. */
export const isSameOrigin = (a: Origin, b: Origin): boolean =>
  a.uuid !== undefined && b.uuid !== undefined ? a.uuid === b.uuid : a.remote.equals(b.remote);
