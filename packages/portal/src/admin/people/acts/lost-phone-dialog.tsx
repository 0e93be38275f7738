/** The dialog for a lost phone: disables its tokens, and gives the user another way to log in. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Checkbox } from '../../../kit/field.tsx';
import { Notice } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { useToast } from '../../../shell/toasts.tsx';
import { kitTexts } from '../../../texts/kit/index.ts';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { useTokens } from '../person/codes/tokens-card.tsx';
import { personKey, useMay, usePerson, usePersonRead } from '../person/person.ts';
import { ShownCode } from './shown-code.tsx';

interface LostPhoneDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onEnrol: () => void;
}

export function LostPhoneDialog({ isOpen, onClose, onEnrol }: LostPhoneDialogProps) {
  const t = useTexts(peopleTexts);
  const { name } = usePerson();
  return (
    <Dialog title={t('lostTitle', { name })} isOpen={isOpen} onClose={onClose}>
      <LostPhone onClose={onClose} onEnrol={onEnrol} />
    </Dialog>
  );
}

/** Seconds that an emergency code is good for. */
const anHour = 3600;

function LostPhone({ onClose, onEnrol }: Omit<LostPhoneDialogProps, 'isOpen'>) {
  const t = useTexts(peopleTexts);
  const kit = useTexts(kitTexts);
  const may = useMay();
  const tokens = (useTokens().data ?? []).filter(({ enabled }) => enabled);
  const ways = usePersonRead('Otp.User_Methods', (manager, dn) => manager.Otp.User_Methods({ dn }));
  const [kept, setKept] = useState<ReadonlySet<number>>(new Set());
  const [wantsCode, setWantsCode] = useState(may('Otp.Emerg_Register'));
  const [endsSessions, setEndsSessions] = useState(may('Sso.Session_Stop'));
  const [code, setCode] = useState<string>();
  const act = useLostPhone((made) => (made === undefined ? onClose() : setCode(made)));
  const toEnrol = () => {
    onClose();
    onEnrol();
  };
  if (code !== undefined)
    return (
      <ShownCode code={code} onClose={onClose}>
        <Button variant="primary" onPress={toEnrol}>
          {t('lostNew')}
        </Button>
      </ShownCode>
    );
  const turn = (id: number, isSelected: boolean) =>
    setKept((before) => new Set(isSelected ? [...before].filter((one) => one !== id) : [...before, id]));
  const lost = tokens.map(({ id }) => id).filter((id) => !kept.has(id));
  return (
    <div className="form">
      <div className="stack-tight">
        {tokens.length === 0 && <p className="soft">{t('lostNone')}</p>}
        {tokens.map(({ id, type }) => (
          <Checkbox key={id} isSelected={!kept.has(id)} onChange={(isSelected) => turn(id, isSelected)}>
            {t('lostWhich')}: {t('tokenIs', { id, type: t(`kind${type}`) })}
          </Checkbox>
        ))}
        {may('Otp.Emerg_Register') && (
          <Checkbox isSelected={wantsCode} onChange={setWantsCode}>
            {t('lostEmergencyToo')}
          </Checkbox>
        )}
        {may('Sso.Session_Stop') && (
          <Checkbox isSelected={endsSessions} onChange={setEndsSessions}>
            {t('lostEndSessions')}
          </Checkbox>
        )}
      </div>
      {ways.data?.includes('SMS') && <Notice tone="warn">{t('lostSms')}</Notice>}
      <div className="form-actions">
        <Button onPress={onClose}>{kit('cancel')}</Button>
        <Button
          variant="primary"
          isPending={act.isPending}
          onPress={() => act.mutate({ lost, wantsCode, endsSessions })}
        >
          {t('lostDo')}
        </Button>
      </div>
    </div>
  );
}

interface LostPhoneTerms {
  readonly lost: readonly number[];
  readonly wantsCode: boolean;
  readonly endsSessions: boolean;
}

/** The phone first: whatever fails afterwards, it lets nobody in. */
function useLostPhone(then: (code: string | undefined) => void) {
  const t = useTexts(peopleTexts);
  const toast = useToast();
  const { dn } = usePerson();
  const { manager } = useSession();
  return useAction({
    run: async ({ lost, wantsCode, endsSessions }: LostPhoneTerms) => {
      await manager.batch((m) => lost.map((id) => m.Otp.Token_Disable({ dn, id })));
      if (endsSessions) await manager.Sso.Session_Stop({ dn });
      return wantsCode ? manager.Otp.Emerg_Register({ dn, expires: anHour, maxuse: 1 }) : undefined;
    },
    changes: [personKey(dn)],
    after: (code: string | undefined) => {
      toast({ tone: 'good', text: t('lostDone') });
      then(code);
    },
  });
}
