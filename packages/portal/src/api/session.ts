/** Signs in and out, at the addresses of both portals: `/admin/session` and `/self/session`. */
export type Site = 'admin' | 'self';

/** The mode of signing in: `admin_auth` of the configuration for administrators, `SELF` for users. */
export type SignInMode = 'UID' | 'DN' | 'PKI' | 'OTP' | 'U2F' | 'MFA' | 'SELF';

/** `unfit`: of another authority, or out of time. */
export type CertificateStanding = 'none' | 'unfit' | 'taken';

export interface SignedOut {
  readonly signedIn: false;
  readonly mode?: SignInMode;
  /** Fields of the form: `username`, `domain`, `password`, `otp`. */
  readonly fields?: readonly string[];
  /** The state of the browser's certificate by TLS. Optional; default: none. */
  readonly certificate?: CertificateStanding;
  /** The address for a link to set a new password, at self-service. Optional; default: none. */
  readonly resetUrl?: string;
}

export interface SignedIn {
  readonly signedIn: true;
  readonly csrf: string;
  /** DN of who has signed in. */
  readonly administrator: string;
  readonly name?: string;
  /** The login name. */
  readonly username?: string;
  readonly domain?: string;
  readonly mode?: SignInMode;
  /** Seconds without a call after which the session ends. */
  readonly idleSeconds?: number;
}

export type SessionState = SignedOut | SignedIn;

export interface SignInFields {
  readonly username?: string;
  readonly domain?: string;
  readonly password?: string;
  readonly otp?: string;
  /** The session of a challenge that is being answered. */
  readonly session?: string;
  readonly u2fResponse?: string;
}

export interface Challenge {
  readonly kind: 'challenge';
  readonly session: string;
  /** Seconds. */
  readonly timeout?: number;
  /** The kind of code that is asked for. Optional; default: none. */
  readonly otpChallenge?: string;
  /** The question to the token (RFC 6287). Optional; default: none. */
  readonly question?: string;
  /** JSON of the options for `navigator.credentials.get`. */
  readonly u2fChallenge?: string;
}

export interface Refused {
  readonly kind: 'refused';
  readonly reason: string;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

export type SignInAnswer = { readonly kind: 'signed-in' } | Challenge | Refused;

const addressOf = (site: Site): string => `/${site}/session`;

const headers = { accept: 'application/json', 'content-type': 'application/json' };

/** @throws TypeError without a connection */
export async function readSession(site: Site): Promise<SessionState> {
  const response = await fetch(addressOf(site), { headers, cache: 'no-store' });
  if (!response.ok) return { signedIn: false };
  return response.json();
}

/** Never throws: without a connection, the reason is `network`. */
export async function signIn(site: Site, fields: SignInFields): Promise<SignInAnswer> {
  try {
    const response = await fetch(addressOf(site), { method: 'POST', headers, body: JSON.stringify(fields) });
    return await readAnswer(response);
  } catch (error) {
    return { kind: 'refused', reason: 'network', message: String(error), retryAfter: undefined };
  }
}

async function readAnswer(response: Response): Promise<SignInAnswer> {
  const answer = await response.json();
  if (response.ok) return answer;
  return {
    kind: 'refused',
    reason: answer.reason ?? 'internal',
    message: answer.message ?? '',
    retryAfter: answer.retryAfter ?? secondsOf(response.headers.get('retry-after')),
  };
}

const secondsOf = (text: string | null): number | undefined =>
  text !== null && /^\d+$/.test(text) ? Number(text) : undefined;

export async function signOut(site: Site, csrf: string): Promise<void> {
  await fetch(addressOf(site), { method: 'DELETE', headers: { ...headers, 'x-csrf-token': csrf } });
}
