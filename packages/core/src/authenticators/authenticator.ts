/** Authenticators, whose codes log a user in, and the contexts of the functions that work on codes. */
import type { ServiceConfig } from '../config/config.ts';
import type { StoredData } from '../directory/data/data.ts';
import type { Settings } from '../directory/data/layers.ts';
import type { Domains } from '../directory/domain.ts';
import type { StoreBindings } from '../directory/store-binding/store-bindings.ts';
import type { StoredDataView } from '../directory/view.ts';
import type { Dn } from '../foundation/text/dn.ts';
import type { Clock } from '../ports/clock.ts';
import type { DirectoryServer } from '../ports/directory/directory.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Log } from '../ports/log/log.ts';
import type { YubicoVerification } from '../ports/sending/yubico-verification.ts';
import type { KeyState } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';
import type { FidoDevice } from './device.ts';
import type { CodeList, Emergency } from './lists.ts';
import type { OcraVerdict } from './ocra-token.ts';
import type { Token, TokenRules, TokenVerdict } from './token.ts';

/** The kind of authenticator that a one-time password comes from. */
export type Factor = 'TOKEN' | 'LIST' | 'EMERGENCY' | SentKind;

/** The ways in which one-time passwords are sent. */
export type SentKind = 'SMS' | 'MAIL';

/** The user of codes, as read for one login. */
export interface AuthenticatorOwner {
  readonly dn: Dn;
  /** The identifier of the entry, which no move changes. */
  readonly id: string;
  /** The settings in force for this login. */
  readonly settings: Settings;
  readonly data: StoredData;
  readonly tokens: readonly Token[];
  /** Contact channels that codes can be sent to. */
  readonly channels: CodeChannels;
  /** The source of the login; undefined: the caller does not distinguish its users. */
  readonly source: string | undefined;
}

/** A phone number and a mail address. */
export type CodeChannels = Readonly<Partial<Record<SentKind, string>>>;

/** A user with its authenticators, each once. */
export interface CodeUser extends AuthenticatorOwner {
  readonly authenticators: readonly Authenticator[];
}

export type Authenticator =
  | TokenAuthenticator
  | ListAuthenticator
  | EmergencyAuthenticator
  | SentAuthenticator;

interface Known {
  /** Identifies the secret without revealing it. */
  readonly key: string;
  /** The name in the log: `token 2`. */
  readonly name: string;
}

interface Counted extends Known {
  /** The key of the store under which wrong codes are counted. */
  readonly wrongCodes: string;
}

interface Prefixed extends Counted {
  /** The PIN before the codes; undefined: none. */
  readonly prefix: string | undefined;
}

export interface TokenAuthenticator extends Prefixed {
  readonly kind: 'TOKEN';
  readonly token: Token;
  readonly rules: TokenRules;
  /** The key of the store under which numbers are claimed. */
  readonly claims: string;
  /** The question of the challenge, without which no code of an OCRA token is right. */
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
  /** The digest of the code, under a key of the ring. */
  readonly digest: string;
  /** The key of the store for the session of the last code, see `sent-code.ts`. */
  readonly last: string;
}

/** A FIDO2 device: no text can be a code of it. */
export interface DeviceAuthenticator extends Known {
  readonly kind: 'FIDO2';
  readonly device: FidoDevice;
}

/** A code of an authenticator that is right and not claimed yet. */
export type RightCode =
  | {
      readonly kind: 'token';
      readonly of: TokenAuthenticator;
      readonly code: string;
      readonly verdict: TokenVerdict;
    }
  /** An output of a Yubikey, in small letters: a verification server verifies it with the claim. */
  | { readonly kind: 'cloud'; readonly of: TokenAuthenticator; readonly otp: string }
  /** The answer of an OCRA token to the question of a challenge. */
  | { readonly kind: 'ocra'; readonly of: TokenAuthenticator; readonly verdict: OcraVerdict }
  /** The last code of a token, good once more: an earlier login has claimed it. */
  | { readonly kind: 'again'; readonly of: TokenAuthenticator }
  | { readonly kind: 'list'; readonly of: ListAuthenticator; readonly position: number }
  | { readonly kind: 'emergency'; readonly of: EmergencyAuthenticator }
  | { readonly kind: 'sent'; readonly of: SentAuthenticator }
  /** The signature of a device, which replaces a code. */
  | { readonly kind: 'device'; readonly of: DeviceAuthenticator; readonly counter: number };

/** The store, and the keys under whose digests codes are claimed. */
export interface Claims {
  readonly store: Store;
  readonly keys: KeyRing;
}

export interface TimedClaims extends Claims {
  readonly clock: Clock;
}

/** The context of verification: what the store knew when the login was admitted. */
export interface JudgingContext {
  readonly known: KeyState;
  readonly keys: KeyRing;
  readonly clock: Clock;
}

/** The context of changes to the state that an entry keeps. */
export interface StateContext extends StoredDataView {
  readonly config: Pick<ServiceConfig, 'schema' | 'stores'>;
  readonly server: Pick<DirectoryServer, 'capabilities'>;
  readonly domains: Pick<Domains, 'containing'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/** The context of claims. */
export interface CodeContext extends StateContext, TimedClaims {
  readonly keys: KeyRing;
  readonly yubico?: YubicoVerification | undefined;
  readonly storeBindings: Pick<StoreBindings, 'assure'>;
}
