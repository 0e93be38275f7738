/** A token that is offered to an app: its secret, its QR code, and whether the app has confirmed the scan. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { type OfferedToken, offerToken, registerByCode } from '../../api/offered-token.ts';
import { useReasons } from '../../shell/failure.tsx';
import { useScan } from '../../shell/scan.ts';
import { useSession } from '../../shell/session.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { nameOf } from '../own/person.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

export interface Offer extends OfferedToken {
  readonly state: 'waiting' | 'over';
}

export function useOffer(slot: number, onDone: () => void) {
  const own = useOwn();
  const dn = useOwnDn();
  const { username, domain } = nameOf(useSession().signedIn);
  const [offer, setOffer] = useState<Offer>();
  const [error, setError] = useState<unknown>();
  const finish = useFinish(onDone);
  const begin = useCallback(async () => {
    setOffer(undefined);
    setError(undefined);
    const owner = { dn, label: username, userid: username, domain };
    try {
      const offered = await own((manager) => offerToken(manager, owner));
      setOffer({ ...offered, state: 'waiting' });
    } catch (failed) {
      setError(failed);
    }
  }, [own, dn, username, domain]);
  useEffect(() => {
    begin();
  }, [begin]);
  /** False: it is not the code of now. */
  const byCode = useCallback(
    async (otp: string) => {
      if (offer === undefined) return true;
      return finish(own((manager) => registerByCode(manager, offer, { dn, id: slot, otp })));
    },
    [own, dn, slot, offer, finish],
  );
  useScan({
    session: offer?.state === 'waiting' ? offer.session : undefined,
    look: (session) => own((manager) => manager.Otp.Mobile_Response({ session })),
    onScan: (session) => {
      if (offer === undefined) return;
      const token = { dn, key: offer.key, id: slot, session };
      void finish(own((manager) => manager.Otp.TOTP_Register(token)));
    },
    onEnd: () => setOffer((now) => now && { ...now, state: 'over' }),
  });
  return { offer, error, begin, byCode };
}

/** Shows the outcome of a registration, and reloads the factors. False: the code was wrong. */
function useFinish(onDone: () => void) {
  const t = useTexts(factorsTexts);
  const say = useReasons();
  const toast = useToast();
  const queries = useQueryClient();
  return useCallback(
    async (registration: Promise<unknown>) => {
      try {
        if ((await registration) === false) return false;
        toast({ tone: 'good', text: t('added') });
        onDone();
      } catch (error) {
        toast({ tone: 'bad', text: say(error) });
      }
      await Promise.all(factorKeys.map((queryKey) => queries.invalidateQueries({ queryKey })));
      return true;
    },
    [t, say, toast, queries, onDone],
  );
}
