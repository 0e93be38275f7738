/** Ends all sessions, this one too: whoever has taken one over is out. */
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useOwnDn } from '../own/reading.ts';
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
