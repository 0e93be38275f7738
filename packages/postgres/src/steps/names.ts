/** Keys within a step. */

/** `family:subject`; a key without a colon is the subject of a family that no key has. */
export interface Name {
  readonly key: string;
  /** False: it is about the next seconds only, and lost with the server. */
  readonly lasting: boolean;
  /** The step changes nothing of it, so others that only look at it are made at the same time. */
  readonly isOnlyLookedAt?: true;
}

/** The same for equal names only. */
export const idOf = ({ key, lasting }: Name): string => (lasting ? `+${key}` : `-${key}`);

export function partsOf(key: string): { readonly family: string; readonly subject: string } {
  const colon = key.indexOf(':');
  return colon < 0
    ? { family: '', subject: key }
    : { family: key.slice(0, colon), subject: key.slice(colon + 1) };
}
