/** OpenID Connect by panva's oidc-provider: the authorization code flow with PKCE, refresh tokens, user info, and logout by the application. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebRequest, WebResponse } from '@watchword/core/http';
import type { OpenIdEngine, OpenIdOptions, OpenIdServer } from '@watchword/core/ports';
import inject from 'light-my-request';
import Provider, { type Interaction } from 'oidc-provider';
import { clientsWithDigests, configurationOf, endLinked } from './configuration.ts';

/** Longest body, in bytes. */
const longestBody = 65_536;

/** Headers that reach the engine: none that says who asks, or from where. */
const passedOn = [
  ...['accept', 'accept-language', 'authorization', 'content-type', 'cookie', 'origin'],
  ...['access-control-request-method', 'access-control-request-headers'],
];

export const openIdEngine: OpenIdEngine = (options): OpenIdServer => {
  const provider = new Provider(options.issuer, configurationOf(options));
  clientsWithDigests(provider, options.applications);
  provider.proxy = true;
  provider.on('server_error', (_, error) => options.failed(error));
  provider.on('backchannel.error', (_, error) => options.failed(error));
  // The event waits for nobody: the caller that answers the request waits for what it began.
  const ending = new WeakMap<IncomingMessage, Promise<void>>();
  provider.on('end_session.success', ({ req, oidc }) => {
    const uid = oidc.session?.uid;
    if (uid !== undefined) ending.set(req, endLinked(uid, options));
  });
  const callback = provider.callback();
  const { pathname: mount, host, protocol } = new URL(options.issuer);
  const base = mount === '/' ? '' : mount;
  return {
    answer: async (request) => {
      const { url } = request;
      const path = url.pathname.slice(base.length) || '/';
      const body = request.method === 'POST' ? await request.body(longestBody) : undefined;
      const known = passedOn.flatMap((name) => {
        const value = request.headers.get(name);
        return value === null ? [] : [[name, value] as const];
      });
      let asked: IncomingMessage | undefined;
      const dispatch = (req: IncomingMessage, res: ServerResponse) => {
        asked = req;
        Object.assign(req, { originalUrl: `${base}${req.url}` });
        const uid = /^\/login\/([A-Za-z0-9_-]{10,64})$/.exec(path)?.[1];
        if (uid === undefined) callback(req, res);
        else
          void logIn({ provider, options, uid }, { ...request, body: async () => body ?? new Uint8Array() }, [
            req,
            res,
          ]);
      };
      const answer = await inject(dispatch as inject.DispatchFunc, {
        method: request.method as 'GET',
        url: `${path}${url.search}`,
        headers: {
          ...Object.fromEntries(known),
          host,
          'x-forwarded-proto': protocol.slice(0, -1),
        },
        ...(body && { payload: Buffer.from(body) }),
      });
      if (asked) await ending.get(asked);
      return answerOf(answer);
    },
  };
};

interface Login {
  readonly provider: Provider;
  readonly options: OpenIdOptions;
  readonly uid: string;
}

/** Answers one request to the login page, which needs the cookie of the interaction. */
async function logIn(
  { provider, options, uid }: Login,
  request: WebRequest,
  [req, res]: readonly [IncomingMessage, ServerResponse],
): Promise<void> {
  try {
    const wanted = await provider.interactionDetails(req, res).catch(() => undefined);
    if (wanted?.uid !== uid) {
      const gone = {
        error: 'invalid_request',
        description: 'the login has taken too long, or was begun elsewhere',
      };
      return send(res, options.errorPage(gone, request.headers.get('accept-language') ?? ''));
    }
    const step = await options.login(wantedOf(wanted), request);
    if (step.page) return send(res, step.page);
    const login = { accountId: step.subject, session: step.session, remember: true };
    const to = await provider.interactionResult(req, res, { login }, { mergeWithLastSubmission: false });
    send(res, { status: 303, headers: { location: to, 'cache-control': 'no-store' }, body: '' });
  } catch (error) {
    options.failed(error);
    const failed = { error: 'server_error', description: 'something failed here; try again' };
    send(res, options.errorPage(failed, request.headers.get('accept-language') ?? ''));
  }
}

const wantedOf = ({ uid, params }: Interaction) => ({
  uid,
  client: String(params.client_id),
  redirectUri: String(params.redirect_uri),
  languages: String(params.ui_locales ?? ''),
  hint: String(params.login_hint ?? ''),
});

function send(res: ServerResponse, { status, headers, body }: WebResponse): void {
  res.writeHead(status, headers).end(body);
}

function answerOf({ statusCode, headers, rawPayload }: inject.Response): WebResponse {
  const { 'set-cookie': cookies = [], ...others } = headers;
  const plain = Object.entries(others).flatMap(([name, value]) =>
    value === undefined || hopByHop.includes(name) ? [] : [[name, String(value)] as const],
  );
  return {
    status: statusCode,
    headers: { 'content-security-policy': policyOf(headers), ...Object.fromEntries(plain) },
    cookies: typeof cookies === 'string' ? [cookies] : cookies,
    body: rawPayload,
  };
}

/** The content security policy of an answer of the engine, whose pages may send a form by a script (`form_post`). */
const policyOf = ({ 'content-type': type = '' }: inject.Response['headers']): string =>
  String(type).startsWith('text/html')
    ? "frame-ancestors 'none'"
    : "default-src 'none'; frame-ancestors 'none'";

/** Headers of one connection. */
const hopByHop = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];
