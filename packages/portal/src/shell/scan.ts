/** Waits until an app has scanned the QR code of a token. */
import { useEffect, useRef } from 'react';

/** Answers of `Mobile_Response`; any other one ends the session. */
const scanned = 1;
const waiting = 2;

/** Milliseconds between two questions. */
const pause = 1000;

interface Scan {
  /** The mobile session that the QR code names; undefined: there is none to wait for. */
  readonly session: string | undefined;
  /** Asks the server for the state of the session. */
  readonly look: (session: string) => Promise<number | false>;
  /** Called once, when the app has confirmed. */
  readonly onScan: (session: string) => void;
  /** Called once, when the time has passed or the phone has refused. */
  readonly onEnd: (session: string) => void;
}

/** Asks for the state of a mobile session, until the app has confirmed or the session has ended. */
export function useScan({ session, ...acts }: Scan): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    if (session === undefined) return undefined;
    const ask = async () => {
      const state = await latest.current.look(session).catch(() => waiting);
      if (timer === undefined) return;
      if (state === waiting) timer = setTimeout(ask, pause);
      else if (state === scanned) latest.current.onScan(session);
      else latest.current.onEnd(session);
    };
    let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(ask, pause);
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, [session]);
}
