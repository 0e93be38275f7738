/** Names of arguments by position: clients that know no names call the first one `param0`. */

/** The place that a name stands for, from 0 on; undefined: the name stands for none. */
export function placeOf(name: string): number | undefined {
  const [, place] = /^param(0|[1-9][0-9]{0,2})$/.exec(name) ?? [];
  return place === undefined ? undefined : Number(place);
}
