/** Records of the origin of copies: sealed values of the store, by the name of the copy. */
import { hash } from 'node:crypto';
import { Dn } from '../../foundation/text/dn.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Store } from '../../ports/store/store.ts';

/** The key prefix of the records. */
export const mirrorFamily = 'mirror';

/** The identity of an object in the other directory. */
export interface Origin {
  readonly remote: Dn;
  /** The permanent identifier; undefined if unknown. */
  readonly uuid: string | undefined;
}

export interface Copy extends Origin {
  /** The name of the copy. */
  readonly local: Dn;
  /** The identifier of the copy's entry. */
  readonly entry: string;
}

export interface CopiesView {
  readonly store: Pick<Store, 'get' | 'update' | 'take' | 'family'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
}

/** In seconds, without end: until the copy is removed. */
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

/** Writes a record; the last of concurrent writes counts. */
export async function keepCopy(copy: Copy, { store, keys }: CopiesView): Promise<void> {
  const key = keyOf(copy.local);
  const text = JSON.stringify({ ...copy, remote: copy.remote.format(), local: copy.local.format() });
  const after = { value: keys.seal(Buffer.from(text), key), seconds: forEver };
  await store.update(key, () => ({ result: undefined, after }));
}

export async function forgetCopy({ local }: Pick<Copy, 'local'>, { store }: CopiesView): Promise<void> {
  await store.take(keyOf(local));
}

/** Lists the records directly below a container, in no order. */
export async function* copiesBelow(container: Dn, { store, keys }: CopiesView): AsyncIterable<Copy> {
  for await (const page of store.family(mirrorFamily))
    for (const { key, value } of page) {
      const copy = opened(key, value, keys);
      if (copy.local.parent?.equals(container)) yield copy;
    }
}

/** Returns whether two identities are of one object: by permanent identifier if both have one, else by name. */
export const isSameOrigin = (a: Origin, b: Origin): boolean =>
  a.uuid !== undefined && b.uuid !== undefined ? a.uuid === b.uuid : a.remote.equals(b.remote);
