/** OpenID Connect as an engine: the protocol with applications. Who somebody is, and what is kept where, is ours. */
import type { WebAnswer, WebRequest } from '../foundation/http/http.ts';

/** An application that people log in to. */
export interface OpenIdApplication {
  readonly id: string;
  /** Applications under one policy share a session; one under a policy of its own has people log in by that. */
  readonly policy: string;
  /** SHA-256 of its secret, hexadecimal; undefined: it can keep none, and shows none. */
  readonly sha256?: string | undefined;
  /** Compared to the letter. */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** Is told of a logout; undefined: nobody is. */
  readonly backchannelLogoutUri?: string | undefined;
}

/** What the engine keeps from one request to the next: objects of JSON by kind and id, for so many seconds. */
export interface OpenIdState {
  put(kind: string, id: string, payload: object, seconds: number): Promise<void>;
  get(kind: string, id: string): Promise<Record<string, unknown> | undefined>;
  /** Uses it up. Of all who do, one is told true. */
  consume(kind: string, id: string): Promise<boolean>;
  remove(kind: string, id: string): Promise<void>;
  /** What was granted with it is there no more, whatever kind it has. */
  revoke(grant: string): Promise<void>;
}

/** A login that an application waits for. */
export interface WantedLogin {
  readonly uid: string;
  /** The application. */
  readonly client: string;
  /** Where the answer goes to in the end. */
  readonly redirectUri: string;
  /** The languages that the application asks for, such as `de en`. */
  readonly languages: string;
  /** The name that it knows already. */
  readonly hint: string;
}

/** What a request to the login comes to. */
export type LoginStep =
  | { readonly page: WebAnswer }
  | {
      readonly page?: undefined;
      /** What applications know the user by, for ever. */
      readonly subject: string;
      /** The session that the login has begun. */
      readonly session: string;
    };

/** RFC 7517. Node's own type has another name in its newest declarations. */
export interface JsonWebKey {
  readonly [member: string]: unknown;
}

export interface OpenIdOptions {
  readonly issuer: string;
  readonly applications: readonly OpenIdApplication[];
  /** Private keys that sign, the first one now; the others are shown for who checks. */
  readonly keys: readonly JsonWebKey[];
  /** What cookies are signed with, the newest first. */
  readonly cookieSecrets: readonly string[];
  readonly state: OpenIdState;
  /** What is told of whoever has the session; undefined: it is over. */
  claims(session: string, application: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** One request to the page of a login. */
  login(wanted: WantedLogin, request: WebRequest): Promise<LoginStep>;
  /** Somebody has logged out. */
  end(session: string): Promise<void>;
  /** Pages in the languages that a browser reads (`Accept-Language`), or the application asks for. */
  logoutPage(form: { readonly action: string; readonly xsrf: string }, languages: string): WebAnswer;
  loggedOutPage(languages: string): WebAnswer;
  errorPage(error: { readonly error: string; readonly description: string }, languages: string): WebAnswer;
  /** Something failed that is nobody's mistake. */
  failed(error: unknown): void;
}

export interface OpenIdServer {
  /** One request below the address of the issuer. @throws ServiceError `too_large` */
  answer(request: WebRequest): Promise<WebAnswer>;
}

export type OpenIdEngine = (options: OpenIdOptions) => OpenIdServer;
