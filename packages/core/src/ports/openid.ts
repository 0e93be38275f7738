/** The port of OpenID Connect: an engine speaks the protocol, and the core provides login, claims and state. */
import type { WebRequest, WebResponse } from '../foundation/http/http.ts';

/** An application that people log in to. */
export interface OpenIdClient {
  readonly id: string;
  /** The client policy of logins. Applications under one policy share a session. */
  readonly policy: string;
  /** SHA-256 of its secret, hexadecimal; undefined for a public client. */
  readonly sha256?: string | undefined;
  /** Compared exactly. */
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  /** The URL of back-channel logout; undefined for none. */
  readonly backchannelLogoutUri?: string | undefined;
}

/** The state of the engine between requests: JSON objects by kind and id, with a lifetime in seconds. */
export interface OpenIdState {
  put(kind: string, id: string, payload: object, seconds: number): Promise<void>;
  get(kind: string, id: string): Promise<Record<string, unknown> | undefined>;
  /** Uses an object up. @returns true for exactly one of concurrent calls */
  consume(kind: string, id: string): Promise<boolean>;
  remove(kind: string, id: string): Promise<void>;
  /** Removes the objects of a grant, of any kind. */
  revoke(grant: string): Promise<void>;
}

/** A login that an application has requested. */
export interface AuthorizationRequest {
  readonly uid: string;
  /** The application. */
  readonly client: string;
  /** The address that gets the answer. */
  readonly redirectUri: string;
  /** The requested languages, such as `de en`. */
  readonly languages: string;
  /** The login name that the application suggests. */
  readonly hint: string;
}

/** The result of a request to the login page. */
export type LoginStep =
  | { readonly page: WebResponse }
  | {
      readonly page?: undefined;
      /** The permanent identifier of the user for applications. */
      readonly subject: string;
      /** The new session. */
      readonly session: string;
    };

/** A JSON Web Key (RFC 7517). The name of Node's own type differs between versions. */
export interface JsonWebKey {
  readonly [member: string]: unknown;
}

export interface OpenIdOptions {
  readonly issuer: string;
  readonly applications: readonly OpenIdClient[];
  /** Private signing keys. The first one signs; the others are published for verification. */
  readonly keys: readonly JsonWebKey[];
  /** Keys that sign cookies, the newest first. */
  readonly cookieSecrets: readonly string[];
  readonly state: OpenIdState;
  /** Returns the claims of the session's user; undefined if the session has ended. */
  claims(session: string, application: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Answers a request to the login page. */
  login(wanted: AuthorizationRequest, request: WebRequest): Promise<LoginStep>;
  /** Ends a session. */
  end(session: string): Promise<void>;
  /** Makes the page of a logout. @param languages of the browser (`Accept-Language`), or requested by the application */
  logoutPage(form: { readonly action: string; readonly xsrf: string }, languages: string): WebResponse;
  loggedOutPage(languages: string): WebResponse;
  errorPage(error: { readonly error: string; readonly description: string }, languages: string): WebResponse;
  /** Logs an unexpected failure. */
  failed(error: unknown): void;
}

export interface OpenIdServer {
  /** Answers a request below the address of the issuer. @throws ServiceError `too_large` */
  answer(request: WebRequest): Promise<WebResponse>;
}

export type OpenIdEngine = (options: OpenIdOptions) => OpenIdServer;
