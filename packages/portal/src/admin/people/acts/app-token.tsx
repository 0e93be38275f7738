/** Enrols an authenticator app: shows a QR code until the app has confirmed, or a code of it was typed. */
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Manager } from '../../../api/manager.ts';
import { codeIn, type OfferedToken, offerToken, registerByCode } from '../../../api/offered-token.ts';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { FormActions } from '../../../kit/form-actions.tsx';
import { QrImage } from '../../../kit/qr-image.tsx';
import { Notice } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { Failure } from '../../../shell/failure.tsx';
import { useScan } from '../../../shell/scan.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, usePerson } from '../person/person.ts';
import type { EnrolProps } from './enrol-props.ts';

export function AppToken({ slot, onDone, onClose }: EnrolProps) {
  const t = useTexts(peopleTexts);
  const { dn, name } = usePerson();
  const { manager } = useSession();
  const [round, setRound] = useState(0);
  const offer = useQuery({
    queryKey: ['offer', dn, round],
    queryFn: () => makeOffer(manager, dn, name),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const register = useRegistration({ slot, offer: offer.data, onDone });
  const session = offer.data?.session;
  const [ended, setEnded] = useState<string>();
  useScan({
    session: session === ended ? undefined : session,
    look: (asked) => manager.Otp.Mobile_Response({ session: asked }),
    onScan: () => register.byScan.mutate(),
    onEnd: setEnded,
  });
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') register.byCode.mutate(codeIn(code));
  };
  if (offer.isError) return <Failure error={offer.error} onRetry={() => void offer.refetch()} />;
  if (session !== undefined && session === ended)
    return (
      <Notice tone="warn" alert>
        <p>{t('scanOver')}</p>
        <div>
          <Button onPress={() => setRound(round + 1)}>{t('again')}</Button>
        </div>
      </Notice>
    );
  return (
    <form className="form" onSubmit={submit}>
      <p>{t('scan')}</p>
      <QrImage picture={offer.data?.picture} label={t('scanLabel')} />
      {session !== undefined && (
        <p role="status" className="row soft">
          <span className="spinner" aria-hidden="true" />
          {t('waitingForScan')}
        </p>
      )}
      <Field
        label={t('codeShown')}
        description={t('orCode')}
        inputMode="numeric"
        autoComplete="off"
        value={code}
        onChange={setCode}
        error={register.isWrong ? t('codeWrong') : undefined}
      />
      <FormActions
        act={t('check')}
        isDisabled={code.trim() === ''}
        isPending={register.byCode.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

async function makeOffer(manager: Manager, dn: string, name: string): Promise<OfferedToken> {
  const [domains, logins] = await manager.batch((m) => [m.Get_User_Domains({ dn }), m.Get_User_IDs({ dn })]);
  const [domain = ''] = domains;
  const [userid = ''] = logins;
  return offerToken(manager, { dn, label: name.trim() || userid, userid, domain });
}

function useRegistration({
  slot,
  offer,
  onDone,
}: Pick<EnrolProps, 'slot' | 'onDone'> & { readonly offer: OfferedToken | undefined }) {
  const { dn } = usePerson();
  const { manager } = useSession();
  const changes = [personKey(dn)];
  const byScan = useAction({
    run: async () => {
      if (offer?.session !== undefined)
        await manager.Otp.TOTP_Register({ dn, key: offer.key, id: slot, session: offer.session });
    },
    changes,
    after: onDone,
  });
  const byCode = useAction({
    run: async (otp: string) => offer !== undefined && registerByCode(manager, offer, { dn, id: slot, otp }),
    changes,
    hasChanged: (isRight) => isRight,
    after: (isRight) => {
      if (isRight) onDone();
    },
  });
  return { byScan, byCode, isWrong: byCode.data === false };
}
