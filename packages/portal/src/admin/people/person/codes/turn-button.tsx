/** Enables or disables a token or a device, with an undo if the administrator may do the reverse. */
import { Button } from '../../../../kit/button.tsx';
import { useAction } from '../../../../shell/action.ts';
import { peopleTexts } from '../../../../texts/people/index.ts';
import { useTexts } from '../../../../texts/text.ts';
import { personKey, useMay, usePerson } from '../person.ts';

interface Turn {
  /** Its method, as rights name it. */
  readonly method: string;
  readonly run: () => Promise<unknown>;
  /** Said when it is done. */
  readonly done: string;
}

interface TurnButtonProps {
  readonly enabled: boolean;
  readonly on: Turn;
  readonly off: Turn;
}

export function TurnButton({ enabled, on, off }: TurnButtonProps) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const may = useMay();
  const turn = (to: Turn, back: Turn) => ({
    ...{ run: to.run, done: () => to.done, changes: [personKey(dn)] },
    ...(may(back.method) && { undo: back.run }),
  });
  const enable = useAction(turn(on, off));
  const disable = useAction(turn(off, on));
  const act = enabled ? disable : enable;
  if (!may((enabled ? off : on).method)) return null;
  return (
    <Button size="small" isPending={act.isPending} onPress={() => act.mutate()}>
      {t(enabled ? 'disable' : 'enable')}
    </Button>
  );
}
