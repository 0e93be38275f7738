/** A key within a step. */
export interface Name {
  /** `family:subject`; a key without a colon is the subject of the family ''. */
  readonly key: string;
  /** False: the value is ephemeral, and lost in a crash of the server. */
  readonly lasting: boolean;
  /** The step does not change the value, so it takes a shared lock. */
  readonly isReadOnly?: true;
}

/** Identifies a name. */
export const idOf = ({ key, lasting }: Name): string => (lasting ? `+${key}` : `-${key}`);

export function partsOf(key: string): { readonly family: string; readonly subject: string } {
  const colon = key.indexOf(':');
  return colon < 0
    ? { family: '', subject: key }
    : { family: key.slice(0, colon), subject: key.slice(colon + 1) };
}
