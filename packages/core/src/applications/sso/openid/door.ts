/** OpenID Connect Core 1.0: applications log their users in here. A library speaks the protocol; the login is that of all doors. */
import { isIP } from 'node:net';
import type { WebApplicationPolicies } from '../../../administration/policy/self/web-applications.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { StartError } from '../../../foundation/errors/start-error.ts';
import { Origins } from '../../../foundation/http/cross-site.ts';
import type { WebRequest, WebResponse } from '../../../foundation/http/http.ts';
import { plainText } from '../../../foundation/http/response.ts';
import { addressBlock } from '../../../foundation/text/network.ts';
import { loginApplication, type PageLoginView } from '../../../login/view.ts';
import type { Log } from '../../../ports/log/log.ts';
import type { OpenIdEngine, OpenIdServer } from '../../../ports/openid.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { OpenSite, Site } from '../../../table/site.ts';
import { findSession } from '../session.ts';
import { type ClaimsView, claimsOf, type GroupNaming } from './claims.ts';
import type { OpenIdLoginView, StepOfLogin } from './login.ts';
import { errorPage, loggedOutPage, logoutPage } from './pages.ts';
import { isAlive, type LoginOperations } from './shared-session.ts';
import { type SigningKeysView, signingKeys } from './signing-keys.ts';
import { type OpenIdStateView, openIdState } from './state.ts';
import { wordsFor } from './words.ts';

export interface ConfiguredClient {
  readonly sha256?: string | undefined;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly backchannel_logout_uri?: string | undefined;
  readonly groups: GroupNaming;
}

export interface OpenIdView
  extends OpenIdLoginView,
    Omit<ClaimsView, 'config'>,
    Omit<SigningKeysView, 'clock' | 'store' | 'keys'> {
  readonly store: OpenIdStateView['store'] & SigningKeysView['store'];
  readonly keys: OpenIdStateView['keys'];
  readonly clock: SigningKeysView['clock'] & OpenIdLoginView['clock'];
  readonly log: Pick<Log, 'error'>;
  readonly ephemeral: Pick<Store, 'count'>;
  readonly webapps: Pick<WebApplicationPolicies, 'find'>;
  readonly config: OpenIdLoginView['config'] &
    ClaimsView['config'] & {
      readonly ws_url: string;
      readonly ws_origins: readonly string[];
      readonly clients: Readonly<Record<string, object>>;
      readonly openid_clients: Readonly<Record<string, ConfiguredClient>>;
    };
}

/** The interval of reading the keys, in milliseconds. */
const lookEvery = 60_000;

interface OpenIdParts {
  readonly engine: OpenIdEngine;
  readonly step: StepOfLogin;
}

class OpenIdDoor implements OpenSite {
  readonly #engine: OpenIdEngine;
  readonly #step: StepOfLogin;
  readonly #view: OpenIdView;
  readonly #origins: Origins;
  /** The origins of applications' pages. */
  readonly #applications: Origins;
  #server: { readonly server: OpenIdServer; readonly kids: string } | undefined;
  #looked = Number.NEGATIVE_INFINITY;

  constructor({ engine, step }: OpenIdParts, view: OpenIdView) {
    this.#engine = engine;
    this.#step = step;
    this.#view = view;
    this.#origins = new Origins(view.config.ws_origins);
    this.#applications = new Origins(originsOf(view.config.openid_clients));
  }

  /** Answers one request below the address of the issuer; throws nothing. */
  async answer(request: WebRequest): Promise<WebResponse> {
    if (request.method === 'OPTIONS' && !this.#applications.isPreflight(request)) return unlisted;
    const words = wordsFor(request.headers.get('accept-language') ?? '', this.#view.config.default_language);
    if (isOurForm(request.url) && request.method === 'POST' && this.#origins.isForged(request)) {
      const error = { error: 'access_denied', description: 'the form comes from another site' };
      return { ...errorPage(words, error), status: 403 };
    }
    try {
      if (isBeginning(request.url) && !(await this.#mayBegin(request))) return tooManyPage(words);
      const response = await (await this.#current()).answer(request);
      return this.#applications.lists(request) ? response : withoutOrigin(response);
    } catch (error) {
      const [status, description] = mistakeIn(error) ?? [503, words.unavailable];
      if (status === 503) this.#view.log.error('OpenID Connect failed', { error });
      const facts = { error: status === 503 ? 'temporarily_unavailable' : 'invalid_request', description };
      return { ...errorPage(words, facts), status };
    }
  }

  /** Each login that begins is kept for a while: nobody fills the store with them. */
  async #mayBegin({ address }: WebRequest): Promise<boolean> {
    const step = { by: 1, limit: mostBegun, seconds: 60 };
    return (await this.#view.ephemeral.count(`openid-begun:${addressBlock(address)}`, step)) !== undefined;
  }

  /** Returns the server with the keys now in force. */
  async #current(): Promise<OpenIdServer> {
    const now = this.#view.clock.now();
    if (this.#server && Math.abs(now - this.#looked) < lookEvery) return this.#server.server;
    const { keys, cookieSecret } = await signingKeys(this.#view);
    const kids = keys.map(({ kid }) => kid).join(' ');
    this.#looked = now;
    if (this.#server?.kids !== kids) this.#server = { server: this.#open(keys, cookieSecret), kids };
    return this.#server.server;
  }

  #open(keys: Parameters<OpenIdEngine>[0]['keys'], cookieSecret: string): OpenIdServer {
    const view = this.#view;
    const { ws_url, openid_clients: clients, default_language } = view.config;
    const state = openIdState(view, view.clock);
    const words = (languages: string) => wordsFor(languages, default_language);
    return this.#engine({
      issuer: `${ws_url}/${path}`,
      applications: Object.entries(clients).map(([id, one]) => ({
        policy: policyOf(id, view),
        ...{ id, sha256: one.sha256, redirectUris: one.redirect_uris },
        postLogoutRedirectUris: one.post_logout_redirect_uris,
        backchannelLogoutUri: one.backchannel_logout_uri,
      })),
      keys,
      cookieSecrets: [cookieSecret],
      state,
      claims: async (session, application) => {
        if (!(await isAlive(session, view))) return undefined;
        return claimsOf(
          (await findSession(session, view)).session,
          clients[application]?.groups ?? 'dn',
          view,
        );
      },
      login: (wanted, request) => this.#step(wanted, request, { ...view, state }),
      end: async (session) => {
        await view.operations.sso.stop({ session });
      },
      logoutPage: (form, languages) => logoutPage(words(languages), form),
      loggedOutPage: (languages) => loggedOutPage(words(languages)),
      errorPage: (error, languages) => errorPage(words(languages), error),
      failed: (error) => view.log.error('OpenID Connect failed', { error }),
    });
  }
}

/** Those that the engine lets ask by script: it looks at them for each request of an application, and at none for a preflight. */
const originsOf = (clients: OpenIdView['config']['openid_clients']): readonly string[] =>
  Object.values(clients)
    .flatMap(({ redirect_uris }) => redirect_uris)
    .map((uri) => new URL(uri).origin);

const unlisted = plainText(403, 'Forbidden', { vary: 'Origin' });

/** The same for no page of another origin. The engine names the origin of a request before it knows whose application asks. */
const withoutOrigin = ({ headers, ...answer }: WebResponse): WebResponse => ({
  ...answer,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.toLowerCase().startsWith('access-control-')),
  ),
});

/** Client policies are found by names without regard to case, and by addresses; empty: there is none for it. */
function policyOf(id: string, { config: { clients } }: OpenIdView): string {
  const name = id.toLowerCase();
  return isIP(id) > 0 || Object.keys(clients).some((one) => one.toLowerCase() === name) ? name : '';
}

/** From one address, or one /64 of IPv6, in a minute. */
const mostBegun = 600;

const isBeginning = ({ pathname }: URL): boolean => pathname === '/openid/authorize';

const tooManyPage = (words: ReturnType<typeof wordsFor>): WebResponse => {
  const error = { error: 'temporarily_unavailable', description: words.unavailable };
  return { ...errorPage(words, error), status: 429 };
};

/** Returns whether only our own pages send this; the rest is for applications, at any origin. */
const isOurForm = ({ pathname }: URL): boolean =>
  /^\/openid\/(?:login|logout\/confirm)(?:\/|$)/.test(pathname);

const path = 'openid';

type Ground = Omit<OpenIdView, 'operations' | 'login'> &
  PageLoginView & { readonly openid?: OpenIdEngine | undefined };

/** Makes the site, where the configuration has `openid_clients`. @param step one request to the login page */
export const openIdSite = (step: StepOfLogin): Site<Ground> => ({
  path: () => path,
  open: (ground, { operations }) => {
    const isWanted = Object.keys(ground.config.openid_clients).length > 0;
    if (!isWanted || !ground.webapps.find(path).enabled) return undefined;
    if (!ground.openid)
      throw new StartError(
        'openid_clients are configured, and no engine was handed in: @watchword/openid has one.',
      );
    assertLogin(ground);
    if (!hasSessions(operations))
      throw new StartError(
        'openid_clients are configured, and sessions are kept by the application Sso, which is not there.',
      );
    return new OpenIdDoor({ engine: ground.openid, step }, { ...ground, operations, login: ground });
  },
});

/** @throws StartError where no application logs people in */
function assertLogin(ground: Ground): void {
  try {
    loginApplication(ground);
  } catch (cause) {
    throw new StartError(
      'openid_clients are configured, and people log in by the application Otp, which is not there.',
      { cause },
    );
  }
}

const hasSessions = (operations: object): operations is LoginOperations => 'sso' in operations;

/** HTTP status and description where the request is at fault. */
function mistakeIn(error: unknown): readonly [number, string] | undefined {
  if (isReason(error, 'too_large')) return [413, 'the request is too large'];
  return isReason(error, 'parse_error') ? [400, 'the form is not in UTF-8'] : undefined;
}
