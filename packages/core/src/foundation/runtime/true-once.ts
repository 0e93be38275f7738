/** Makes a function that returns true on its first call only. */
export function trueOnce(): () => boolean {
  let isFirst = true;
  return () => {
    const was = isFirst;
    isFirst = false;
    return was;
  };
}
