/** OpenID Connect by openid-client: from the authorization to the logout, with a code and a refresh token that are used twice. */
import * as openid from 'openid-client';
import { expect, it } from 'vitest';
import { BrowserTab } from './browser-tab.ts';
import { type Conversation, type Person, type Stand, wiki } from './stand.ts';

interface Login {
  /** Where the browser was sent back to. */
  readonly back: URL;
  readonly checks: openid.AuthorizationCodeGrantChecks;
}

const discover = (stand: Stand) =>
  openid.discovery(new URL(`${stand.addresses.ws}openid`), wiki.id, wiki.secret, undefined, {
    [openid.customFetch]: (url, options) => stand.send(url, options as object) as never,
  });

async function logIn(server: openid.Configuration, tab: BrowserTab, person: Person): Promise<Login> {
  const verifier = openid.randomPKCECodeVerifier();
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: openid.randomState(),
    expectedNonce: openid.randomNonce(),
    idTokenExpected: true,
  };
  const authorize = openid.buildAuthorizationUrl(server, {
    ...{ redirect_uri: wiki.callback, scope: 'openid profile email offline_access' },
    ...{ state: checks.expectedState, nonce: checks.expectedNonce, code_challenge_method: 'S256' },
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
  });
  const page = await tab.open(authorize.href);
  const { username, password } = person;
  const asked = await tab.submit(page, { username, password });
  expect(asked.text).toContain('name="code"');
  expect((await tab.submit(asked, { code: '00000000' })).text).toContain('name="code"');
  const back = await tab.submit(asked, { code: person.nextCode() });
  return { back: new URL(back.url), checks };
}

export const openIdConnect: Conversation = {
  about: ['OpenID'],
  tests: (stand) => {
    it('logs in, tells of the user, refreshes and logs out; a code and a refresh token are good once', async () => {
      const person = await stand().person('oidc');
      const server = await discover(stand());
      const tab = new BrowserTab(stand());
      const { back, checks } = await logIn(server, tab, person);
      const tokens = await openid.authorizationCodeGrant(server, back, checks);
      expect(tokens.expires_in).toBe(600);
      const claims = tokens.claims();
      expect(claims).toMatchObject({ aud: wiki.id, nonce: checks.expectedNonce, preferred_username: 'oidc' });
      const about = await openid.fetchUserInfo(server, tokens.access_token, claims?.sub ?? '');
      expect(about).toMatchObject({ preferred_username: 'oidc', email: 'oidc@example.com' });
      const fresh = await openid.refreshTokenGrant(server, tokens.refresh_token ?? '');
      expect(fresh.access_token).not.toBe(tokens.access_token);
      const logout = openid.buildEndSessionUrl(server, {
        ...{
          id_token_hint: fresh.id_token ?? tokens.id_token ?? '',
          post_logout_redirect_uri: wiki.afterLogout,
        },
      });
      const confirmed = await tab.submit(await tab.open(logout.href), { logout: 'yes' });
      expect(confirmed.url).toContain(wiki.afterLogout);
      await expect(openid.fetchUserInfo(server, fresh.access_token, claims?.sub ?? '')).rejects.toThrow();
      await expect(openid.refreshTokenGrant(server, fresh.refresh_token ?? '')).rejects.toThrow();
    });

    it('refuses a code that was used, and all that was granted with it', async () => {
      const person = await stand().person('oidc-twice');
      const server = await discover(stand());
      const { back, checks } = await logIn(server, new BrowserTab(stand()), person);
      const tokens = await openid.authorizationCodeGrant(server, back, checks);
      const subject = tokens.claims()?.sub ?? '';
      expect(await openid.fetchUserInfo(server, tokens.access_token, subject)).toMatchObject({
        sub: subject,
      });
      await expect(openid.authorizationCodeGrant(server, back, checks)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      await expect(openid.fetchUserInfo(server, tokens.access_token, subject)).rejects.toThrow();
    });

    it('refuses a refresh token that was used', async () => {
      const person = await stand().person('oidc-refresh');
      const server = await discover(stand());
      const { back, checks } = await logIn(server, new BrowserTab(stand()), person);
      const tokens = await openid.authorizationCodeGrant(server, back, checks);
      const used = tokens.refresh_token ?? '';
      await openid.refreshTokenGrant(server, used);
      await expect(openid.refreshTokenGrant(server, used)).rejects.toMatchObject({ error: 'invalid_grant' });
    });
  },
};
