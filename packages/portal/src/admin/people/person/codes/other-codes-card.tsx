/** Codes for a user without a token at hand: an emergency code, a printed list. */
import { useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { Confirm } from '../../../../kit/confirm.tsx';
import { Badge, Card } from '../../../../kit/show.tsx';
import { useAction } from '../../../../shell/action.ts';
import { useSession } from '../../../../shell/session.tsx';
import { peopleTexts } from '../../../../texts/people/index.ts';
import { useTexts } from '../../../../texts/text.ts';
import { EmergencyDialog } from '../../acts/emergency-dialog.tsx';
import { personKey, useMay, usePerson, usePersonRead } from '../person.ts';
import { Reading } from '../read-card.tsx';
import { ListLine, mayMakeList } from './list-line.tsx';

export function OtherCodesCard() {
  const t = useTexts(peopleTexts);
  const may = useMay();
  const methods = usePersonRead('Otp.User_Methods', (manager, dn) => manager.Otp.User_Methods({ dn }));
  const hasList = may('Otp.List_State') || mayMakeList(may);
  const hasEmergency = may('Otp.User_Methods') || may('Otp.Emerg_Register');
  if (!hasList && !hasEmergency) return null;
  return (
    <Card title={t('otherCodes')}>
      <Reading query={methods}>{(ways) => <Ways ways={ways} />}</Reading>
      <ul className="lines">
        {hasEmergency && (
          <li>
            <EmergencyLine isThere={methods.data?.includes('EMERGENCY') ?? false} />
          </li>
        )}
        {hasList && (
          <li>
            <ListLine />
          </li>
        )}
      </ul>
    </Card>
  );
}

function Ways({ ways }: { readonly ways: readonly string[] }) {
  const t = useTexts(peopleTexts);
  return (
    <p className="row">
      <span className="soft">{t(ways.length > 0 ? 'ways' : 'noWays')}</span>
      {ways.map((way) => (
        <Badge key={way} tone="accent">
          {way}
        </Badge>
      ))}
    </p>
  );
}

function EmergencyLine({ isThere }: { readonly isThere: boolean }) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [dialog, setDialog] = useState<'give' | 'take'>();
  const close = () => setDialog(undefined);
  const take = useAction({
    run: () => manager.Otp.Emerg_Unregister({ dn }),
    done: () => t('emergencyTaken'),
    changes: [personKey(dn)],
    after: close,
  });
  return (
    <div className="line">
      <div className="line-text">
        <strong>{t('emergency')}</strong>
        <span className="soft">{t('emergencyMore')}</span>
      </div>
      {isThere && may('Otp.Emerg_Unregister') && (
        <Button size="small" variant="quiet" onPress={() => setDialog('take')}>
          {t('takeEmergency')}
        </Button>
      )}
      {may('Otp.Emerg_Register') && (
        <Button size="small" onPress={() => setDialog('give')}>
          {t('giveEmergency')}
        </Button>
      )}
      <EmergencyDialog isOpen={dialog === 'give'} onClose={close} />
      <Confirm
        title={t('takeEmergencyTitle')}
        lost={[t('lostEmergency')]}
        act={t('takeEmergency')}
        isOpen={dialog === 'take'}
        isPending={take.isPending}
        onConfirm={() => take.mutate()}
        onClose={close}
      />
    </div>
  );
}
