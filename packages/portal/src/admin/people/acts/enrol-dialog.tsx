/** Enrols a token: an app by a QR code on the screen, others by their keys. */
import { useState } from 'react';
import { freeSlot, slots } from '../../../api/slots.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { Select } from '../../../kit/field.tsx';
import { useToast } from '../../../shell/toasts.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { useTokens } from '../person/codes/tokens-card.tsx';
import { usePerson } from '../person/person.ts';
import { AppToken } from './app-token.tsx';
import { KeyedToken } from './keyed-token.tsx';
import { type Kind, useEnrolableKinds } from './kinds.ts';

interface EnrolDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function EnrolDialog({ isOpen, onClose }: EnrolDialogProps) {
  const t = useTexts(peopleTexts);
  const { name } = usePerson();
  return (
    <Dialog title={t('enrolTitle', { name })} isOpen={isOpen} onClose={onClose}>
      <Enrol onClose={onClose} />
    </Dialog>
  );
}

function Enrol({ onClose }: Pick<EnrolDialogProps, 'onClose'>) {
  const t = useTexts(peopleTexts);
  const toast = useToast();
  const kinds = useEnrolableKinds();
  const places = useSlots();
  const [wanted, setWanted] = useState<Kind>();
  const kind = wanted ?? kinds[0] ?? 'app';
  const [chosen, setChosen] = useState<string>();
  const slot = chosen ?? places.free;
  const names = {
    app: t('kindApp'),
    button: t('kindButton'),
    yubikey: t('kindYubikey'),
    inventory: t('kindInventory'),
  };
  const done = () => {
    toast({ tone: 'good', text: t('tokenThere') });
    onClose();
  };
  const ends = { slot: Number(slot), onDone: done, onClose };
  return (
    <>
      <div className="two">
        <Select
          label={t('kind')}
          value={kind}
          onChange={(id) => setWanted(kinds.find((each) => each === id))}
          choices={kinds.map((id) => ({ id, name: names[id] }))}
        />
        <Select label={t('slot')} value={slot} onChange={setChosen} choices={places.choices} />
      </div>
      {/* What is shown and typed stays when the slots are read again, as after the act before, and another one is free. */}
      {kind === 'app' ? <AppToken {...ends} /> : <KeyedToken key={kind} kind={kind} {...ends} />}
    </>
  );
}

/** The first that is free; what is in the others is named, as it is replaced. */
function useSlots() {
  const t = useTexts(peopleTexts);
  const tokens = useTokens().data ?? [];
  const taken = new Map(tokens.map(({ id, type }) => [id, type]));
  const choices = slots.map((id) => {
    const type = taken.get(id);
    const name = type === undefined ? t('slotFree', { id }) : t('slotTaken', { id, type: t(`kind${type}`) });
    return { id: String(id), name };
  });
  return { choices, free: String(freeSlot(tokens) ?? 1) };
}
