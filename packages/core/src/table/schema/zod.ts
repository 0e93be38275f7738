/**
 * Lazy loading of zod, which reads the configuration and the parameters of calls. Loading zod takes as long as the rest of the core, so a
 * program that reads neither does not load it.
 */
import { createRequire } from 'node:module';
import type { z } from 'zod';

export type Zod = typeof z;

const require = createRequire(import.meta.url);

export const zod = (): Zod => require('zod').z;

/** Makes a value with zod at its first use, and keeps it. */
export function lazy<T>(make: (z: Zod) => T): () => T {
  let kept: { readonly of: T } | undefined;
  return () => {
    kept ??= { of: make(zod()) };
    return kept.of;
  };
}

/**
 * Makes a value as {@link lazy} does, but keeps it weakly: the garbage collector may drop it. The schema of the configuration is large, and a
 * server uses it once.
 */
export function weaklyCached<T>(make: (z: Zod) => T): () => T {
  return weaklyCachedOf(() => '', make);
}

/**
 * Makes a value of an argument as {@link weaklyCached} does, and keeps the last one.
 * @param keyOf equal for arguments with equal values
 */
export function weaklyCachedOf<T, About = void>(
  keyOf: (about: About) => string,
  make: (z: Zod, about: About) => T,
): (about: About) => T {
  let kept: { readonly key: string; readonly made: WeakRef<{ readonly of: T }> } | undefined;
  return (about) => {
    const key = keyOf(about);
    const last = kept?.key === key ? kept.made.deref() : undefined;
    if (last) return last.of;
    const fresh = { of: make(zod(), about) };
    kept = { key, made: new WeakRef(fresh) };
    return fresh.of;
  };
}
