/** Blocking somebody, and letting them in again. */
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, usePerson } from './person.ts';

export function useBlockActs() {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const start = () => manager.Otp.Block_Start({ dn });
  const reset = () => manager.Otp.Block_Reset({ dn });
  const changes = [personKey(dn)];
  return {
    block: useAction({ run: start, undo: reset, done: () => t('blockedNow'), changes }),
    // The failures that it forgets do not come back.
    unblock: useAction({ run: reset, done: () => t('unblocked'), changes }),
  };
}
