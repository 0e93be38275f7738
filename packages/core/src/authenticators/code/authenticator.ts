/** What the codes of a user come from: its tokens, a printed list, an emergency code, a mail or an SMS. */

import type { StoredData } from '../../directory/data/data.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { FidoDevice } from '../device/device.ts';
import type { Emergency } from '../list/emergency.ts';
import type { CodeList } from '../list/list.ts';
import type { OcraJudgement } from '../token/ocra-token.ts';
import type { Judgement, Token, TokenRules } from '../token/token.ts';

/** Where a one-time password comes from. */
export type Factor = 'TOKEN' | 'LIST' | 'EMERGENCY' | SentKind;

/** One-time passwords that are sent to whoever logs in. */
export type SentKind = 'SMS' | 'MAIL';

/** Whose codes they are, as it was read for one login. */
export interface CodeHolder {
  readonly dn: Dn;
  /** The identifier of the entry, which no move changes. */
  readonly id: string;
  /** In force for this login, in our words. */
  readonly settings: Settings;
  readonly data: StoredData;
  readonly tokens: readonly Token[];
  /** Where codes can be sent to now: a number, an address. */
  readonly reach: CodeAddresses;
  /** Stands for where the login comes from; undefined: the caller does not tell its users apart. */
  readonly place: string | undefined;
}

export type CodeAddresses = Readonly<Partial<Record<SentKind, string>>>;

/** A holder, and what its codes may come from: each once, as it was read. */
export interface CodeUser extends CodeHolder {
  readonly authenticators: readonly Authenticator[];
}

/** Something whose codes log in. */
export type Authenticator =
  | TokenAuthenticator
  | ListAuthenticator
  | EmergencyAuthenticator
  | SentAuthenticator;

interface Known {
  /** Stands for its secret. */
  readonly key: string;
  /** For the log: `token 2`. */
  readonly name: string;
}

interface Counted extends Known {
  /** Where the store counts its wrong codes. */
  readonly wrongCodes: string;
}

interface Prefixed extends Counted {
  /** The PIN that stands before its codes; undefined: none does. */
  readonly prefix: string | undefined;
}

export interface TokenAuthenticator extends Prefixed {
  readonly kind: 'TOKEN';
  readonly token: Token;
  /** By which its codes are judged, where the token itself does not say. */
  readonly rules: TokenRules;
  /** Where its numbers are claimed. */
  readonly claims: string;
  /** Of an OCRA token: what the challenge has asked, without which no code is right. */
  readonly question?: string | undefined;
}

export interface ListAuthenticator extends Prefixed {
  readonly kind: 'LIST';
  readonly list: CodeList;
}

export interface EmergencyAuthenticator extends Counted {
  readonly kind: 'EMERGENCY';
  readonly emergency: Emergency;
}

/** A code that was sent for one session, which its answer ends. */
export type SentAuthenticator = SentBy<'SMS'> | SentBy<'MAIL'>;

interface SentBy<Kind extends SentKind> extends Counted {
  readonly kind: Kind;
  readonly sent: SentCode;
  readonly session: string;
}

export interface SentCode {
  readonly kind: SentKind;
  /** Of the code, under a key of the ring. */
  readonly digest: string;
  /** Where the store tells for which session the last code was sent, see `sent-code.ts`. */
  readonly last: string;
}

/** A FIDO2 device: no text can be a code of it. */
export interface DeviceAuthenticator extends Known {
  readonly kind: 'FIDO2';
  readonly device: FidoDevice;
}

/** A code that is one of an authenticator's own, and that nobody has used: nothing of it is used up yet. */
export type RightCode =
  | {
      readonly kind: 'token';
      readonly of: TokenAuthenticator;
      readonly code: string;
      readonly judgement: Judgement;
    }
  /** What a Yubikey may have typed, in small letters: whether it has, a verification server says as it is used up. */
  | { readonly kind: 'cloud'; readonly of: TokenAuthenticator; readonly otp: string }
  /** The answer of an OCRA token to the question of a challenge. */
  | { readonly kind: 'ocra'; readonly of: TokenAuthenticator; readonly judgement: OcraJudgement }
  /** The last code of a token, good once more: it was used up by the login that it was first good for. */
  | { readonly kind: 'again'; readonly of: TokenAuthenticator }
  | { readonly kind: 'list'; readonly of: ListAuthenticator; readonly position: number }
  | { readonly kind: 'emergency'; readonly of: EmergencyAuthenticator }
  | { readonly kind: 'sent'; readonly of: SentAuthenticator }
  /** No code, but as good as one: a device has signed the challenge. */
  | { readonly kind: 'device'; readonly of: DeviceAuthenticator; readonly counter: number };
