/** Ends sessions of the user: all, all but this one, or one. All includes this one, so that a thief of it is signed out. */
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { keys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

export function useEndSessions() {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const { leave } = useSession();
  return useAction({
    run: () => own((manager) => manager.SelfDesk.End_Sessions({ dn })),
    done: () => t('sessionsEnded'),
    changes: [],
    after: () => void leave(),
  });
}

export function useEndOthers() {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  return useAction({
    run: () => own((manager) => manager.SelfDesk.End_Sessions({ dn, others: true })),
    done: () => t('othersEnded'),
    changes: [keys.sessions],
  });
}

export interface EndedSession {
  readonly id: string;
  /** Whether the session is of single sign-on, not of this page. */
  readonly isShared: boolean;
}

export function useEndSession() {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  return useAction({
    run: ({ id, isShared }: EndedSession) =>
      own<unknown>((manager) =>
        isShared ? manager.Sso.Session_Stop({ dn, id }) : manager.SelfDesk.End_Session({ dn, id }),
      ),
    done: () => t('sessionEnded'),
    changes: [keys.sessions],
  });
}
