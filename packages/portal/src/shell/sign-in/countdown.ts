import { useEffect, useState } from 'react';

/** Seconds that are left until a moment of `performance.now()`. */
export function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((moment - now) / 1000));
}
