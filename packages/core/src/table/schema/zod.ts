/**
 * zod, which reads the configuration and the parameters of calls. Loading it costs as much as all the rest of the core
 * together, so that it is loaded when something is read first: whoever only imports the core does without.
 */
import { createRequire } from 'node:module';
import type { z } from 'zod';

export type Zod = typeof z;

const require = createRequire(import.meta.url);

export const zod = (): Zod => require('zod').z;

/** What is made with zod, at its first use. */
export function made<T>(make: (z: Zod) => T): () => T {
  let kept: { readonly of: T } | undefined;
  return () => {
    kept ??= { of: make(zod()) };
    return kept.of;
  };
}

/**
 * {@link made} for what is read with now and then: it goes with the garbage, and is made anew where it is wanted again. What the
 * configuration is read with is 2 MB in memory, and a server reads it once.
 */
export function madeAtNeed<T>(make: (z: Zod) => T): () => T {
  return madeAtNeedOf(() => '', make);
}

/**
 * {@link madeAtNeed} for what also hangs on an argument: what was made last is kept.
 * @param keyOf the same for arguments of which the same is made
 */
export function madeAtNeedOf<T, About = void>(
  keyOf: (about: About) => string,
  make: (z: Zod, about: About) => T,
): (about: About) => T {
  let kept: { readonly key: string; readonly made: WeakRef<{ readonly of: T }> } | undefined;
  return (about) => {
    const key = keyOf(about);
    const there = kept?.key === key ? kept.made.deref() : undefined;
    if (there) return there.of;
    const anew = { of: make(zod(), about) };
    kept = { key, made: new WeakRef(anew) };
    return anew.of;
  };
}
