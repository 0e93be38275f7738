/** Step-up: asks for a fresh second factor if the server requires one, and then repeats the call. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { CallError, type Manager } from '../../api/manager.ts';
import { useSession } from '../../shell/session.tsx';
import { StepUpDialog } from './step-up-dialog.tsx';

/** Runs a call; where it is refused because the second factor is too long ago, asks for one and runs it again. */
type Run = <Result>(call: (manager: Manager) => Promise<Result>) => Promise<Result>;

const StepUpContext = createContext<Run | undefined>(undefined);

export function useOwn(): Run {
  const run = useContext(StepUpContext);
  if (run === undefined) throw new Error('There is no StepUpProvider around this');
  return run;
}

/** Nobody has answered: nothing was changed. */
const cancelled = { reason: 'cancelled' };

const isTooLongAgo = (error: unknown): boolean =>
  error instanceof CallError && error.reason === 'insufficient_user_authentication';

interface Waiting {
  /** The manager of the session before. */
  readonly manager: Manager;
  readonly answer: (isShown: boolean) => void;
}

export function StepUpProvider({ children }: { readonly children: ReactNode }) {
  const { manager } = useSession();
  // The session is another one after the dialog.
  const latest = useRef(manager);
  latest.current = manager;
  const [waiting, setWaiting] = useState<Waiting>();
  const run = useCallback<Run>(async (call) => {
    const now = () => call(latest.current);
    try {
      return await now();
    } catch (error) {
      if (!isTooLongAgo(error)) throw error;
    }
    const isShown = await new Promise<boolean>((answer) => setWaiting({ manager: latest.current, answer }));
    setWaiting(undefined);
    if (!isShown) throw cancelled;
    return now();
  }, []);
  // After the step-up, calls use the new session.
  useEffect(() => {
    if (waiting && waiting.manager !== manager) waiting.answer(true);
  }, [waiting, manager]);
  return (
    <StepUpContext value={run}>
      {children}
      {waiting && <StepUpDialog onCancel={() => waiting.answer(false)} />}
    </StepUpContext>
  );
}
