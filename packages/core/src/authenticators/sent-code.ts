/**
 * Codes sent by SMS or mail. Each is made for one session and good once. The store keeps a digest under a key of the ring, so that a
 * reader of the store cannot try codes out. Of the codes for one user and source only the last is good: a request from another
 * source ends no code of this one.
 */
import { hash } from 'node:crypto';
import { isSameSecret } from '../foundation/text/secret/same-secret.ts';
import type { KeyRing } from '../ports/keys.ts';
import { type Random, randomText } from '../ports/random.ts';
import type { TimedValue } from '../ports/store/ledger.ts';
import { read } from '../table/setting.ts';
import type {
  AuthenticatorOwner,
  Factor,
  JudgingContext,
  SentAuthenticator,
  SentCode,
  SentKind,
} from './authenticator.ts';
import { codeSettings } from './settings.ts';

export const isSent = (factor: Factor): factor is SentKind => factor === 'SMS' || factor === 'MAIL';

/** Seconds of the longest validity. */
export const longestSent = 600;

export interface NewCode {
  /** The code, for the message only. */
  readonly code: string;
  readonly sent: SentCode;
  /** Values to store with the session. */
  readonly values: ReadonlyMap<string, TimedValue>;
}

/** The purpose of a code. */
export interface CodePurpose {
  readonly kind: SentKind;
  readonly session: string;
  /** The source of the login. */
  readonly source: string;
  /** Seconds of validity. */
  readonly seconds: number;
}

/** Makes a code for one session. */
export function makeSentCode(
  owner: Pick<AuthenticatorOwner, 'settings'> & { readonly id: string },
  { kind, session, source, seconds }: CodePurpose,
  { random, keys }: { readonly random: Random; readonly keys: KeyRing },
): NewCode {
  const length = read(owner.settings, codeSettings.OTPLength);
  const code = randomText(random, { length, alphabet: '0123456789' });
  const sent = {
    kind,
    digest: digestOf(code, session, keys),
    last: `sent:${hash('sha256', `${owner.id}|${source}`)}`,
  };
  return { code, sent, values: new Map([[sent.last, { value: nameOf(session), seconds }]]) };
}

/** Returns whether a text is the code of its session, and the last code for its source. */
export function isSentCode(
  text: string,
  { sent, session }: SentAuthenticator,
  { known, keys }: Pick<JudgingContext, 'known' | 'keys'>,
): boolean {
  const last = known.value(sent.last);
  const isRight = isSameSecret(digestOf(text.replaceAll(' ', ''), session, keys), sent.digest);
  return isRight && last !== undefined && isSameSecret(last, nameOf(session));
}

const digestOf = (code: string, session: string, keys: KeyRing): string =>
  keys.digest(`${session}:${code}`, 'sent code');

const nameOf = (session: string): Uint8Array => Buffer.from(hash('sha256', session));
