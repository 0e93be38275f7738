/**
 * Codes that are sent by SMS or mail: made for one session, good once, and good for nothing else. The store keeps a digest under
 * a key of the ring, so that who reads it cannot try the codes out. Of the codes that are sent for one user to one place, the
 * last is good; whoever asks for one elsewhere ends nobody's.
 */
import { hash } from 'node:crypto';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';
import type { KeyRing } from '../../ports/keys.ts';
import { type Random, randomText } from '../../ports/random.ts';
import type { TimedValue } from '../../ports/store/ledger.ts';
import { read } from '../../table/setting.ts';
import { codeSettings } from '../settings.ts';
import type { JudgingView } from '../view.ts';
import type { CodeHolder, Factor, SentAuthenticator, SentCode, SentKind } from './authenticator.ts';

export const isSent = (factor: Factor): factor is SentKind => factor === 'SMS' || factor === 'MAIL';

/** In seconds: no code is good any longer. */
export const longestSent = 600;

export interface NewCode {
  /** For the message, and nothing else. */
  readonly code: string;
  readonly sent: SentCode;
  /** To be kept with the session. */
  readonly values: ReadonlyMap<string, TimedValue>;
}

/** What the code is for. */
export interface CodePurpose {
  readonly kind: SentKind;
  readonly session: string;
  /** Stands for where the login comes from. */
  readonly place: string;
  /** Seconds that it is good. */
  readonly seconds: number;
}

/** A code for one session. */
export function makeSentCode(
  holder: Pick<CodeHolder, 'settings'> & { readonly id: string },
  { kind, session, place, seconds }: CodePurpose,
  { random, keys }: { readonly random: Random; readonly keys: KeyRing },
): NewCode {
  const length = read(holder.settings, codeSettings.OTPLength);
  const code = randomText(random, { length, alphabet: '0123456789' });
  const sent = {
    kind,
    digest: digestOf(code, session, keys),
    last: `sent:${hash('sha256', `${holder.id}|${place}`)}`,
  };
  return { code, sent, values: new Map([[sent.last, { value: nameOf(session), seconds }]]) };
}

/** It is the code of this session, and no other was sent to this place since. */
export function isSentCode(
  text: string,
  { sent, session }: SentAuthenticator,
  { known, keys }: Pick<JudgingView, 'known' | 'keys'>,
): boolean {
  const last = known.value(sent.last);
  const isRight = isSameSecret(digestOf(text.replaceAll(' ', ''), session, keys), sent.digest);
  return isRight && last !== undefined && isSameSecret(last, nameOf(session));
}

const digestOf = (code: string, session: string, keys: KeyRing): string =>
  keys.digest(`${session}:${code}`, 'sent code');

const nameOf = (session: string): Uint8Array => Buffer.from(hash('sha256', session));
