/** Lets so many tasks run at a time; the others wait in line. */
export type Limiter = <T>(task: () => Promise<T>) => Promise<T>;

export function limiter(atOnce: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
