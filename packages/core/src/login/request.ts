/** Requests and answers of a login, as the web services name their fields. */

import type { TwoFactorMode } from '../administration/policy/login-mode.ts';
import type { Factor, SentKind } from '../authenticators/authenticator.ts';
import type { ThrownRefusal } from '../foundation/errors/refusal-table.ts';
import type { Dn } from '../foundation/text/dn.ts';

export interface LoginRequest {
  readonly username?: string | undefined;
  readonly domain?: string | undefined;
  readonly client?: string | undefined;
  /** The end user's address. */
  readonly source?: string | undefined;
  /** `Name=Value,…`; they win over every policy layer. */
  readonly settings?: string | undefined;
  /** Flags, such as `-LDAP`. */
  readonly options?: string | undefined;
  /** The demand of the door; no field of the wire. */
  readonly demand?: Demand | undefined;
}

/** The ways by which a link was sent: `MAILSMS` both. */
export type LinkSentBy = SentKind | 'MAILSMS';

/** The demand of a door beside the policy in force. Both hold: no door opens with fewer factors than the policy wants. */
export interface Demand {
  /** Least login mode. Passwords that stand in for all factors are refused. */
  readonly mode?: TwoFactorMode | undefined;
  /** Whether the door can ask for a code or a device later; it overrules the setting `ChallengeMode`. */
  readonly asks?: 'always' | 'never';
  /** A person types at a page: passwords of programs do not stand in for the factors. */
  readonly isByPerson?: true;
  /** Link that was sent to the user who lost the password; it stands in for the password, and for no other factor. */
  readonly link?: {
    /** The way the link was sent. A code that is sent the same way would prove nothing more. */
    readonly sentBy?: LinkSentBy | undefined;
  };
}

/** The secrets of a login: separate, or the password with the OTP after it. */
export type LoginSecrets =
  | { readonly password?: string | undefined; readonly otp?: string | undefined }
  | { readonly anyPassword: string | undefined };

export interface ChallengeAnswer {
  readonly username?: string | undefined;
  readonly domain?: string | undefined;
  /** 16 alphanumerics. */
  readonly session?: string | undefined;
  readonly otp?: string | undefined;
  /** JSON that a FIDO2 device has signed. */
  readonly assertion?: string | undefined;
}

/**
 * A login with a certificate (`otpPKILogin`): the calling system has checked that the user holds its key. A
 * certificate is known if the entry of the user that its subject names holds it.
 */
export interface CertificateLogin extends Pick<LoginRequest, 'client' | 'source' | 'settings' | 'options'> {
  /** PEM. */
  readonly certificate?: string | undefined;
}

/** The fields that a browser sends to a page of ours. With a session the rest is the answer to its challenge. */
export type ShownAtPage = Pick<LoginRequest, 'username' | 'domain'> &
  Pick<ChallengeAnswer, 'session' | 'otp' | 'assertion'> & {
    /** Says that the name is a DN; as `byDn` reads it. */
    readonly options?: 'LDAPDN' | undefined;
    /** Left out: the code alone is shown. */
    readonly password?: string | undefined;
    /** Password and code in one text; it is judged in place of both. */
    readonly anyPassword?: string | undefined;
  };

export const requestAtPage = (
  { username, domain, options, anyPassword, password, otp }: ShownAtPage,
  demand: Demand | undefined,
): LoginRequest & LoginSecrets => ({
  ...{ username, domain, options, demand: { ...demand, isByPerson: true } },
  ...(anyPassword === undefined ? { password, otp } : { anyPassword }),
});

/** The outcome of a login; operations write it in the fields of the web services. */
export type LoginOutcome =
  | {
      readonly kind: 'granted';
      /** The setting `ReplyData`. */
      readonly data: string;
      /** Length of the OTP at the end of `anyPassword`; else 0. */
      readonly concat: number;
      readonly by: GrantedBy;
      readonly account?: AccountName;
    }
  | {
      readonly kind: 'challenge';
      readonly session: string;
      /** Seconds left. */
      readonly timeout: number;
      /** The source of the awaited code. Optional; default: only a FIDO2 device may answer. */
      readonly factor?: Factor | undefined;
      readonly devices?: DeviceChallenge | undefined;
      /** The question to an OCRA token. */
      readonly question?: string | undefined;
    }
  | { readonly kind: 'refused' };

/** The user, and whether the directory's password was among the credentials. */
export interface GrantedBy {
  readonly dn: Dn;
  readonly isByPassword: boolean;
  /** A code or the signature of a device was among them. */
  readonly isByFactor: boolean;
}

/** A challenge to FIDO2 devices; all fields are base64 but the domain. */
export interface DeviceChallenge {
  readonly challenge: string;
  readonly rpId: string;
  readonly credentialIds: readonly string[];
}

/** The canonical name of an account (docs/concepts/dialects-and-names.md#canonical-name). */
export interface AccountName {
  readonly username: string;
  readonly domain: string;
}

/** The answer of the web services to a login; `code` says which fields it has. */
export type LoginResponse = LoginSuccess | LoginChallenge | LoginRefusal;

export type LoginSuccess = {
  readonly code: 1;
  readonly error: '';
  readonly message: string;
  /** The canonical name; not in `dialect: deployed`. */
  readonly username?: string;
  readonly domain?: string;
  /** The setting `ReplyData`. */
  readonly data: string;
  /** Length of the OTP at the end of `anyPassword`; else 0. */
  readonly concat: number;
};

/** A challenge, to be answered by `otpChallenge` within `timeout` seconds. */
export type LoginChallenge = {
  readonly code: 2;
  readonly error: '';
  readonly message: string;
  readonly session: string;
  readonly timeout: number;
  /** Left out where only a security key is waited for. */
  readonly otpChallenge?: 'TOKEN' | 'LIST' | 'SMS' | 'MAIL' | 'EMERG';
  /** JSON of {@link DeviceChallenge}, where a security key may answer. */
  readonly u2fChallenge?: string;
};

export type LoginRefusal = ThrownRefusal;
