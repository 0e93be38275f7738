/** vitest 5.1 prints failures with Map.groupBy, which Node 20 lacks: without it a failed test is not shown. */
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
};
