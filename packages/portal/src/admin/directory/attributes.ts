/** The attributes of an entry as they are read, edited and sent. */

export type Attributes = Readonly<Record<string, readonly string[]>>;

/** Names of LDAP know no case. */
export function valuesOf(attributes: Attributes, name: string): readonly string[] {
  const own = Object.keys(attributes).find((one) => one.toLowerCase() === name.toLowerCase());
  return own === undefined ? [] : (attributes[own] ?? []);
}

export interface Changes {
  /** To be put in the place of what was there. */
  readonly set: Readonly<Record<string, string[]>>;
  /** To be gone. */
  readonly removed: string[];
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

export function changesOf(before: Attributes, after: Attributes): Changes {
  const changed = Object.entries(after).filter(([name, values]) => !isEqual(values, valuesOf(before, name)));
  const set = changed.filter(([, values]) => values.length > 0).map(([name, values]) => [name, [...values]]);
  return {
    set: Object.fromEntries(set),
    removed: changed.filter(([, values]) => values.length === 0).map(([name]) => name),
  };
}
