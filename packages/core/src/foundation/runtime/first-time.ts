/** Of a process: for what the first of a kind does for all that come after it. */
export function firstTime(): () => boolean {
  let isFirst = true;
  return () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
}
