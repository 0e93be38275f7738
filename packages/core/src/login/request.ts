/** Requests and answers of a login (webservices.md §4). */

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
  /** Set by doors of ours; no field of the wire. */
  readonly demand?: Demand | undefined;
}

/** The ways by which a link was sent: `MAILSMS` both. */
export type LinkSentBy = SentKind | 'MAILSMS';

/** The demand of a door beside the policy in force. Both hold: no door opens with fewer factors than the policy wants. */
export interface Demand {
  /** The least login mode. What stands in for all factors is not taken. */
  readonly mode?: TwoFactorMode | undefined;
  /** The ability of the door to ask for a code or a device later; it overrules the setting `ChallengeMode`. */
  readonly asks?: 'always' | 'never';
  /** A person types at a page: passwords of programs do not stand in for the factors. */
  readonly isByPerson?: true;
  /** The password is lost: a link that was sent to the user stands in for it, and for no other factor. */
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
  /** JSON that a FIDO2 device has signed (webservices.md §4). */
  readonly assertion?: string | undefined;
}

/**
 * A login with a certificate (webservices.md §4, otpPKILogin): the calling system has checked that the user holds its key. A
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

/** The outcome of a login; operations write it in the fields of webservices.md §4. */
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
      /** Where the code comes from that is waited for; left out: only a FIDO2 device is. */
      readonly factor?: Factor | undefined;
      readonly devices?: DeviceChallenge | undefined;
      /** What an OCRA token is asked. */
      readonly question?: string | undefined;
    }
  | { readonly kind: 'refused' };

/** Who it is, and whether the password of the directory was among what was shown. */
export interface GrantedBy {
  readonly dn: Dn;
  readonly isByPassword: boolean;
  /** A code, or what a device has signed, was. */
  readonly isByFactor: boolean;
}

/** What FIDO2 devices are asked to sign (webservices.md §4); all in base64 but the domain. */
export interface DeviceChallenge {
  readonly challenge: string;
  readonly rpId: string;
  readonly credentialIds: readonly string[];
}

/** What an account is called in the directory and the configuration, however the user spelled it. */
export interface AccountName {
  readonly username: string;
  readonly domain: string;
}

/** A login as the web services answer it (webservices.md §3, 4): which fields there are, `code` tells. */
export type LoginAnswer = LoginSuccess | LoginChallenge | LoginRefusal;

export type LoginSuccess = {
  readonly code: 1;
  readonly error: '';
  readonly message: string;
  /** The login name and the domain of the account, however the user spelled them; not in `dialect: deployed`. */
  readonly username?: string;
  readonly domain?: string;
  /** The setting `ReplyData`. */
  readonly data: string;
  /** Length of the OTP at the end of `anyPassword`; else 0. */
  readonly concat: number;
};

/** To be answered by `otpChallenge` within `timeout` seconds. */
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
