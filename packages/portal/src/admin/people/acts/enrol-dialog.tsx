/** Enrols a token: an app by a QR code on the screen, others by their keys. */
import { useState } from 'react';
import { Dialog } from '../../../kit/dialog.tsx';
import { Select } from '../../../kit/field.tsx';
import { useToast } from '../../../shell/toasts.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { useTokens } from '../person/codes/tokens-card.tsx';
import { useMay, usePerson } from '../person/person.ts';
import { AppToken } from './app-token.tsx';
import { ButtonToken } from './button-token.tsx';
import { InventoryToken } from './inventory-token.tsx';
import { YubikeyToken } from './yubikey-token.tsx';

interface EnrolDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export interface EnrolProps {
  /** 1 to 10. */
  readonly slot: number;
  readonly onDone: () => void;
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

const kinds = ['app', 'button', 'yubikey', 'inventory'] as const;

type Kind = (typeof kinds)[number];

const forms = {
  app: AppToken,
  button: ButtonToken,
  yubikey: YubikeyToken,
  inventory: InventoryToken,
} as const;

const methods: Readonly<Record<Kind, string>> = {
  app: 'Otp.TOTP_Register',
  button: 'Otp.HOTP_Register',
  yubikey: 'Otp.Yubikey_Register',
  inventory: 'Otp.Inventory_Register',
};

function Enrol({ onClose }: Pick<EnrolDialogProps, 'onClose'>) {
  const t = useTexts(peopleTexts);
  const toast = useToast();
  const may = useMay();
  const slots = useSlots();
  const [kind, setKind] = useState<Kind>('app');
  const [chosen, setChosen] = useState<string>();
  const slot = chosen ?? slots.free;
  const names = {
    app: t('kindApp'),
    button: t('kindButton'),
    yubikey: t('kindYubikey'),
    inventory: t('kindInventory'),
  };
  const Form = forms[kind];
  const done = () => {
    toast({ tone: 'good', text: t('tokenThere') });
    onClose();
  };
  return (
    <>
      <div className="two">
        <Select
          label={t('kind')}
          value={kind}
          onChange={(id) => setKind(kinds.find((each) => each === id) ?? 'app')}
          choices={kinds.filter((id) => may(methods[id])).map((id) => ({ id, name: names[id] }))}
        />
        <Select label={t('slot')} value={slot} onChange={setChosen} choices={slots.choices} />
      </div>
      <Form key={`${kind} ${slot}`} slot={Number(slot)} onDone={done} onClose={onClose} />
    </>
  );
}

/** The first that is free; what is in the others is named, as it is replaced. */
function useSlots() {
  const t = useTexts(peopleTexts);
  const tokens = useTokens().data ?? [];
  const taken = new Map(tokens.map(({ id, type }) => [id, type]));
  const ids = Array.from({ length: 10 }, (_, index) => index + 1);
  const choices = ids.map((id) => {
    const type = taken.get(id);
    const name = type === undefined ? t('slotFree', { id }) : t('slotTaken', { id, type: t(`kind${type}`) });
    return { id: String(id), name };
  });
  return { choices, free: String(ids.find((id) => !taken.has(id)) ?? 1) };
}
