/** A web application that has people log in with Watchword: it knows OpenID Connect, and nothing of Watchword. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import * as openid from 'openid-client';

export interface AppOptions {
  /** `https://login.example.com:8443/openid` */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where people reach this application: `https://wiki.example.com`. */
  readonly url: string;
  /** For an authority of one's own, where `NODE_EXTRA_CA_CERTS` does not name it. */
  readonly fetch?: typeof fetch;
}

/** What a login waits for. */
interface Begun {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

interface LoggedIn {
  readonly name: string;
  readonly idToken: string;
}

/** Listens where its proxy alone reaches it. */
export async function createApp({ issuer, clientId, clientSecret, url, fetch }: AppOptions): Promise<Server> {
  const custom = fetch ? { [openid.customFetch]: fetch as openid.CustomFetch } : {};
  const server = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, custom);
  // An application of many processes keeps these in a database.
  const begun = new Map<string, Begun>();
  const sessions = new Map<string, LoggedIn>();
  const callback = `${url}/callback`;

  async function logIn(response: ServerResponse): Promise<void> {
    const login: Begun = {
      verifier: openid.randomPKCECodeVerifier(),
      state: openid.randomState(),
      nonce: openid.randomNonce(),
    };
    const id = randomBytes(16).toString('base64url');
    begun.set(id, login);
    const to = openid.buildAuthorizationUrl(server, {
      ...{ redirect_uri: callback, scope: 'openid profile email', state: login.state, nonce: login.nonce },
      code_challenge: await openid.calculatePKCECodeChallenge(login.verifier),
      code_challenge_method: 'S256',
    });
    redirect(response, to.href, cookie('login', id));
  }

  async function comeBack(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = cookieOf(request, 'login') ?? '';
    const login = begun.get(id);
    begun.delete(id);
    if (!login)
      return show(response, 400, '<p>This login was begun elsewhere, or is over.</p><a href="/">Again</a>');
    const tokens = await openid.authorizationCodeGrant(server, new URL(request.url ?? '', url), {
      ...{ pkceCodeVerifier: login.verifier, expectedState: login.state, expectedNonce: login.nonce },
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    const about = await openid.fetchUserInfo(server, tokens.access_token, claims?.sub ?? '');
    const session = randomBytes(16).toString('base64url');
    sessions.set(session, {
      name: `${about.name} (${about.preferred_username})`,
      idToken: tokens.id_token ?? '',
    });
    redirect(response, `${url}/`, cookie('session', session));
  }

  function logOut(request: IncomingMessage, response: ServerResponse): void {
    const id = cookieOf(request, 'session') ?? '';
    const session = sessions.get(id);
    sessions.delete(id);
    const hint = session && { id_token_hint: session.idToken };
    const to = openid.buildEndSessionUrl(server, { ...hint, post_logout_redirect_uri: `${url}/` });
    redirect(response, to.href, `${cookie('session', '')}; Max-Age=0`);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', url);
    if (pathname === '/login') return logIn(response);
    if (pathname === '/callback') return comeBack(request, response);
    if (pathname === '/logout') return logOut(request, response);
    if (pathname !== '/') return show(response, 404, '<p>Nothing is here.</p>');
    const session = sessions.get(cookieOf(request, 'session') ?? '');
    if (!session)
      return show(response, 200, '<p>Nobody is logged in.</p><a id="login" href="/login">Log in</a>');
    show(response, 200, `<p>Welcome, ${escape(session.name)}.</p><a id="logout" href="/logout">Log out</a>`);
  }

  return createServer((request, response) => {
    answer(request, response).catch((error) => {
      process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
      show(response, 502, '<p>The login did not succeed.</p><a href="/">Again</a>');
    });
  });
}

const isSecure = '__Host-';
const cookie = (name: string, value: string): string =>
  `${isSecure}${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`;

const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
  (headers.cookie ?? '')
    .split('; ')
    .find((one) => one.startsWith(`${isSecure}${name}=`))
    ?.slice(`${isSecure}${name}=`.length);

const redirect = (response: ServerResponse, location: string, set: string): void => {
  response.writeHead(303, { location, 'set-cookie': set, 'cache-control': 'no-store' }).end();
};

const show = (response: ServerResponse, status: number, body: string): void => {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  response.writeHead(status, headers).end(`<!doctype html><title>Wiki</title><main>${body}</main>`);
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
