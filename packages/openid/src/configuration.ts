/** The configuration of oidc-provider: permitted requests, and no others. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { WebResponse } from '@watchword/core/http';
import type { OpenIdClient, OpenIdOptions, OpenIdState } from '@watchword/core/ports';
import type Provider from 'oidc-provider';
import {
  type Adapter,
  type ClientMetadata,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider';

/** The longest login in seconds, however often it is used. */
const longest = 7 * 86_400;

const scopes = ['openid', 'profile', 'email', 'groups', 'offline_access'];

export function configurationOf(options: OpenIdOptions): Configuration {
  const { state, keys, cookieSecrets, applications } = options;
  return {
    adapter: (kind) => adapterOf(kind, state),
    clients: applications.map(metadataOf),
    jwks: { keys: [...keys] as never },
    cookies: {
      keys: [...cookieSecrets],
      names: { session: 'openid', interaction: 'openid_login', resume: 'openid_resume' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    routes: {
      ...{ authorization: '/authorize', token: '/token', userinfo: '/userinfo', jwks: '/jwks' },
      ...{ end_session: '/logout', revocation: '/revoke' },
    },
    scopes,
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username'],
      email: ['email'],
      groups: ['groups'],
    },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
          const [, xsrf = ''] = /value="([^"]*)"/.exec(form) ?? [];
          show(ctx, options.logoutPage({ action, xsrf }, languagesOf(ctx)));
        },
        postLogoutSuccessSource: (ctx) => show(ctx, options.loggedOutPage(languagesOf(ctx))),
      },
    },
    // The engine's own refuses addresses inside the own network; these are configured, by who may. It waits 2.5 s for each.
    fetch: (url, init) => fetch(url, { ...init, dispatcher: undefined } as RequestInit),
    ttl: {
      ...{ AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600 },
      ...{ RefreshToken: longest, Session: longest, Grant: longest },
    },
    rotateRefreshToken: true,
    // It is good for no longer than the session that it was begun with, whether or not `offline_access` is asked for.
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    clientBasedCORS: (_, origin, client) =>
      client.redirectUris?.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin) ?? false,
    interactions: { policy: policyWithoutConsent(), url: (_, { uid }) => `${options.issuer}/login/${uid}` },
    loadExistingGrant: (ctx) => grantOf(ctx),
    findAccount: (ctx, subject, source) => findAccount(ctx, { subject, source }, options),
    renderError: (ctx, { error, error_description: description = '' }) => {
      const page = options.errorPage({ error, description }, languagesOf(ctx));
      show(ctx, { ...page, status: ctx.status });
    },
  };
}

const metadataOf = ({
  backchannelLogoutUri: logoutUri,
  id,
  sha256,
  redirectUris,
  postLogoutRedirectUris,
}: OpenIdClient): ClientMetadata => ({
  client_id: id,
  // What is compared is its digest; the engine wants some secret all the same.
  ...(sha256 === undefined ? {} : { client_secret: randomBytes(32).toString('base64url') }),
  token_endpoint_auth_method: sha256 === undefined ? 'none' : 'client_secret_basic',
  application_type: isOnLoopback([...redirectUris, ...postLogoutRedirectUris]) ? 'native' : 'web',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [...redirectUris],
  post_logout_redirect_uris: [...postLogoutRedirectUris],
  ...(logoutUri !== undefined && {
    backchannel_logout_uri: logoutUri,
    backchannel_logout_session_required: true,
  }),
});

/** The port of a program on the machine of its user is another at each start (RFC 8252 §7.3); the engine allows that to native applications. */
const isOnLoopback = (uris: readonly string[]): boolean =>
  uris.some((uri) => uri.startsWith('http:')) && !uris.some((uri) => isLoopbackByTls.test(uri));

/** Addresses of loopback by TLS, which the engine refuses to native applications. */
const isLoopbackByTls = /^https:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?:[:/?]|$)/i;

/** Secrets of applications are compared by their digests: the configuration tells none. */
export function clientsWithDigests(provider: Provider, applications: readonly OpenIdClient[]): void {
  const digests = new Map(applications.map(({ id, sha256 }) => [id, sha256]));
  Object.assign(provider.Client.prototype, {
    compareClientSecret(this: { readonly clientId: string }, secret: string): boolean {
      const digest = digests.get(this.clientId);
      if (digest === undefined) return false;
      return timingSafeEqual(Buffer.from(digest, 'hex'), hash('sha256', secret, 'buffer'));
    },
  });
}

/**
 * Makes the interaction policy: the administrator who configured an application has consented for its users, and an ended session of ours demands a new
 * login.
 */
function policyWithoutConsent() {
  const { Check, base } = interactionPolicy;
  const policy = base();
  policy.remove('consent');
  policy
    .get('login')
    ?.checks.add(
      new Check('session_over', 'the session is over', 'login_required', ({ oidc }) =>
        oidc.session?.accountId !== undefined && !oidc.account
          ? Check.REQUEST_PROMPT
          : Check.NO_NEED_TO_PROMPT,
      ),
    );
  return policy;
}

async function grantOf({ oidc }: KoaContextWithOIDC) {
  const { client, session, account } = oidc;
  if (!client || !account || !session) return undefined;
  const id = session.grantIdFor(client.clientId);
  const found = id === undefined ? undefined : await oidc.provider.Grant.find(id);
  if (found && found.accountId === account.accountId) return found;
  const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  grant.addOIDCScope(scopes.join(' '));
  await grant.save();
  return grant;
}

/** The link of the engine's session to ours: one for each policy, so that no login under one policy passes another. */
const link = 'Link';
const tieOf = (uid: string, { policy }: Pick<OpenIdClient, 'policy'>): string => `${uid} ${policy}`;

interface Sought {
  readonly subject: string;
  /** The token or code by which the account was found, which belongs to a session. */
  readonly source: unknown;
}

/** Finds the account. A new login in the same browser has a new session of ours: earlier grants end with the old one. */
async function findAccount(ctx: KoaContextWithOIDC, { subject, source }: Sought, options: OpenIdOptions) {
  const { oidc } = ctx;
  const uid = sessionUidOf(source) ?? oidc.session?.uid;
  const application = options.applications.find(({ id }) => id === oidc.client?.clientId);
  if (uid === undefined || !application) return undefined;
  const tie = tieOf(uid, application);
  const begun = oidc.result?.login as { readonly session?: unknown; readonly accountId?: string } | undefined;
  if (source === undefined && typeof begun?.session === 'string' && begun.accountId === subject)
    await relink(tie, begun.session, options);
  const session = (await options.state.get(link, tie))?.session;
  const claims = typeof session === 'string' ? await options.claims(session, application.id) : undefined;
  if (!claims || claims.sub !== subject) return undefined;
  return { accountId: subject, claims: async () => ({ ...claims, sub: subject }) };
}

/** The session of a login before in the same browser ends: nobody would end it any more. */
async function relink(tie: string, session: string, { state, end }: OpenIdOptions): Promise<void> {
  const before = (await state.get(link, tie))?.session;
  if (before === session) return;
  await state.put(link, tie, { session }, longest);
  if (typeof before === 'string') await end(before);
}

const sessionUidOf = (source: unknown): string | undefined =>
  typeof source === 'object' && source && 'sessionUid' in source && typeof source.sessionUid === 'string'
    ? source.sessionUid
    : undefined;

/** Ends our sessions with the engine's. */
export async function endLinked(uid: string, { applications, state, end }: OpenIdOptions): Promise<void> {
  for (const tie of new Set(applications.map((application) => tieOf(uid, application)))) {
    const session = (await state.get(link, tie))?.session;
    if (typeof session === 'string') await end(session);
    await state.remove(link, tie);
  }
}

const byUid = 'SessionUid';

function adapterOf(kind: string, state: OpenIdState): Adapter {
  const find = async (id: string) => state.get(kind, id);
  return {
    upsert: async (id, payload, seconds = longest) => {
      await state.put(kind, id, payload, seconds);
      if (kind === 'Session' && payload.uid) await state.put(byUid, payload.uid, { id }, seconds);
    },
    find,
    findByUid: async (uid) => {
      const id = (await state.get(byUid, uid))?.id;
      return typeof id === 'string' ? find(id) : undefined;
    },
    findByUserCode: async () => undefined,
    consume: async (id) => {
      // Of many who come at once one is let in, and all are found out as those who come later are: what was granted is taken back.
      const grant = (await state.get(kind, id))?.grantId;
      if (await state.consume(kind, id)) return;
      if (typeof grant === 'string') await state.revoke(grant);
      throw new errors.InvalidGrant('it is used already');
    },
    destroy: (id) => state.remove(kind, id),
    revokeByGrantId: (grant) => state.revoke(grant),
  } as Adapter;
}

/** The languages that the application asks for, or the browser. */
const languagesOf = (ctx: KoaContextWithOIDC): string =>
  String(ctx.oidc?.params?.ui_locales ?? '') || (ctx.headers['accept-language'] ?? '');

function show(ctx: KoaContextWithOIDC, { status, headers, body }: WebResponse): void {
  ctx.status = status;
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  ctx.body = body;
}
