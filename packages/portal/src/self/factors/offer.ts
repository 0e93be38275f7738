/** A token that is offered to an app: its secret, its QR code, and whether the app has told that it was scanned. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { type Bytes, randomBytes, toBase64 } from '../../api/base64.ts';
import type { Manager } from '../../api/manager.ts';
import { useReasons } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { useToast } from '../../shell/toasts.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { isCodeOfNow, shapeOf } from '../own/code.ts';
import { type LoginName, nameOf } from '../own/person.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

export interface Offer {
  readonly secret: Bytes;
  readonly uri: string;
  /** PNG in base64. */
  readonly picture: string;
  /** Of the mobile session that waits for the scan; undefined: this installation takes no confirmations of apps. */
  readonly session: string | undefined;
  readonly state: 'waiting' | 'over';
  isCode(code: string): Promise<boolean>;
}

/** Bytes of a secret: RFC 4226 §4 R6 wants 20. */
const secretLength = 20;
/** Milliseconds between two looks at whether it was scanned. */
const pause = 1500;

export function useOffer(slot: number, onDone: () => void) {
  const own = useOwn();
  const dn = useOwnDn();
  const named = nameOf(useSession().signedIn);
  const { username, domain } = named;
  const [offer, setOffer] = useState<Offer>();
  const [error, setError] = useState<unknown>();
  const finish = useFinish(onDone);
  const begin = useCallback(async () => {
    setOffer(undefined);
    setError(undefined);
    try {
      setOffer(await own((manager) => offerToken(manager, { dn, named: { username, domain } })));
    } catch (failed) {
      setError(failed);
    }
  }, [own, dn, username, domain]);
  useEffect(() => {
    begin();
  }, [begin]);
  /** With the session, once it was confirmed; without, a code was right. */
  const register = useCallback(
    async (session?: string) => {
      if (offer === undefined) return;
      const token = { dn, key: toBase64(offer.secret), id: slot, ...(session !== undefined && { session }) };
      await finish(own((manager) => manager.Otp.TOTP_Register(token)));
    },
    [own, dn, slot, offer, finish],
  );
  const over = useCallback(() => setOffer((now) => now && { ...now, state: 'over' }), []);
  useScan(offer, { onScan: register, onEnd: over });
  return { offer, error, begin, register: () => register() };
}

async function offerToken(
  manager: Manager,
  { dn, named: { username, domain } }: { readonly dn: string; readonly named: LoginName },
): Promise<Offer> {
  const secret = randomBytes(secretLength);
  // Where no address for phones is set, apps cannot tell: the code that they show is asked for in any case.
  const session = await manager.Otp.Mobile_Session({ dn }).catch(() => undefined);
  const key = toBase64(secret);
  const uri = await manager.Otp.TOTP_URI({
    name: location.hostname,
    key,
    userid: username,
    domain,
    ...(session && { session }),
  });
  if (uri === false) throw { reason: 'not_found', data: '' };
  const picture = await manager.Get_QRCode({ uri, format: 'PNG', size: 6, margin: 2 });
  const shape = shapeOf(uri);
  return {
    secret,
    uri,
    picture,
    session,
    state: 'waiting',
    isCode: (code) => isCodeOfNow(secret, code, shape),
  };
}

/** Looks again and again, while there is something to wait for. */
function useScan(
  offer: Offer | undefined,
  { onScan, onEnd }: { onScan: (session: string) => void; onEnd: () => void },
): void {
  const own = useOwn();
  const session = offer?.state === 'waiting' ? offer.session : undefined;
  useEffect(() => {
    if (session === undefined) return undefined;
    const look = async () => {
      const state = await own((manager) => manager.Otp.Mobile_Response({ session })).catch(() => waiting);
      if (timer === undefined) return;
      if (state === waiting) timer = setTimeout(look, pause);
      else if (state === scanned) onScan(session);
      else onEnd();
    };
    let timer: ReturnType<typeof setTimeout> | undefined = setTimeout(look, pause);
    return () => {
      clearTimeout(timer);
      timer = undefined;
    };
  }, [own, session, onScan, onEnd]);
}

/** Of Mobile_Response. */
const scanned = 1;
const waiting = 2;

/** Says what came of a registration, and has what there is read anew. */
function useFinish(onDone: () => void) {
  const t = useTexts(factorsTexts);
  const say = useReasons();
  const toast = useToast();
  const queries = useQueryClient();
  return useCallback(
    async (registration: Promise<unknown>) => {
      try {
        await registration;
        toast({ tone: 'good', text: t('added') });
        onDone();
      } catch (error) {
        toast({ tone: 'bad', text: say(error) });
      }
      await Promise.all(factorKeys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
    [t, say, toast, queries, onDone],
  );
}
