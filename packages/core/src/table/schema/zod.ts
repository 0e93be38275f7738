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
