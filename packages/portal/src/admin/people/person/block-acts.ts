/** Actions that block and unblock a user. */
import type { Manager } from '../../../api/manager.ts';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, useMay, usePerson } from './person.ts';

type Block = Awaited<ReturnType<Manager['Otp']['Block_Check']>>;

/** `Block_Start` takes a day at most; without seconds it blocks until the block is reset. */
const lasting = ({ seconds }: Block) => (seconds > 0 ? { expires: Math.min(seconds, 86_400) } : {});

/** @param block the present block; undefined: it is loading */
export function useBlockActs(block: Block | undefined) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const start = () => manager.Otp.Block_Start({ dn });
  const reset = () => manager.Otp.Block_Reset({ dn });
  const changes = [personKey(dn)];
  return {
    block: useAction({
      ...{ run: start, done: () => t('blockedNow'), changes },
      ...(may('Otp.Block_Reset') && { undo: reset }),
    }),
    unblock: useAction({
      ...{ run: reset, done: () => t('unblocked'), changes },
      // For as long as it was; the failures that it forgets do not come back.
      ...(block?.blocked &&
        may('Otp.Block_Start') && { undo: () => manager.Otp.Block_Start({ dn, ...lasting(block) }) }),
    }),
  };
}
