/**
 * What follows from a list that is made once for all who ask, and is frozen: made once too, as long as it is about the same. A
 * login asks with the same lists each time. Of any other list it is made anew.
 */
export function ofFrozen<T, About extends object | void = void>(
  make: (list: readonly string[], about: About) => T,
): (list: readonly string[], about: About) => T {
  const known = new WeakMap<readonly string[], { readonly about: About; readonly made: T }>();
  return (list, about) => {
    const before = known.get(list);
    if (before && before.about === about) return before.made;
    const made = make(list, about);
    if (Object.isFrozen(list)) known.set(list, { about, made });
    return made;
  };
}
