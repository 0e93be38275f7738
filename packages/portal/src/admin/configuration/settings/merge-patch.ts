/**
 * Makes a JSON Merge Patch (RFC 7396) that turns one value into another. Secrets are shown nowhere, so a map of both keeps what neither
 * names.
 */
export function mergePatchOf(before: unknown, after: unknown): unknown {
  if (!isMap(before) || !isMap(after)) return after;
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const set = Object.entries(after).map(([key, value]) => [key, mergePatchOf(before[key], value)] as const);
  return Object.fromEntries([...removed.map((key) => [key, null] as const), ...set]);
}

export const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
