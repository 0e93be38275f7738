/** Returns the position of an argument that is named by it, such as `param0` for the first; undefined for other names. */
export function positionOf(name: string): number | undefined {
  const [, position] = /^param(0|[1-9][0-9]{0,2})$/.exec(name) ?? [];
  return position === undefined ? undefined : Number(position);
}
