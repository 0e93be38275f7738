/** The origin of each copy of directory sync: sealed in the store, under the name of the copy. */
import { hash } from 'node:crypto';
import { Dn } from '../../foundation/text/dn.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Store } from '../../ports/store/store.ts';

/** The family of origins in the store. */
export const mirrorFamily = 'mirror';

/** The identity of an object in the other directory. */
export interface Origin {
  readonly remote: Dn;
  /** The identifier, which a rename or move keeps; undefined: unknown. */
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

/** The lifetime of a record in seconds: practically unlimited. */
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

/** Stores the origin of a copy; of many at the same time the last counts. */
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

/** Compares origins by identifier, where both have one, else by name. */
export const isSameOrigin = (a: Origin, b: Origin): boolean =>
  a.uuid !== undefined && b.uuid !== undefined ? a.uuid === b.uuid : a.remote.equals(b.remote);
