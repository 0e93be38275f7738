/** OpenID Connect: logins to an application by a browser, to the end or abandoned on the way. */
import { createHash, randomBytes } from 'node:crypto';
import { passwordOf } from './people.ts';
import { wiki } from './servers.ts';
import type { Answer, Web } from './web.ts';

interface Browsing {
  readonly web: Web;
  /** That of the web services. */
  readonly url: string;
  readonly from: string;
}

/** A browser without JavaScript, which follows redirects as long as they stay at our server. */
class Browser {
  readonly #cookies = new Map<string, string>();
  readonly #browsing: Browsing;

  constructor(browsing: Browsing) {
    this.#browsing = browsing;
  }

  async open(url: string, body?: string): Promise<Answer & { readonly url: string }> {
    const { web, from } = this.#browsing;
    let [at, form] = [url, body];
    for (;;) {
      const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const headers = { 'accept-language': 'en', cookie, ...(form !== undefined && type) };
      const answer = await web.ask(at, { headers, from, ...(form !== undefined && { body: form }) });
      for (const line of answer.cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        this.#cookies.set(name, value);
      }
      if (answer.location === undefined) return { ...answer, url: at };
      [at, form] = [new URL(answer.location, at).href, undefined];
      if (!at.startsWith(this.#browsing.url)) return { ...answer, url: at };
    }
  }
}

function authorization(url: string): { readonly address: string; readonly verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    ...{ client_id: wiki.id, response_type: 'code', redirect_uri: wiki.callback },
    ...{ scope: 'openid profile', state: 'some', nonce: 'other', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  return { address: `${url}openid/authorize?${asked}`, verifier };
}

/** @returns whether the page of a login came, which is left open */
export async function abandonLogin(browsing: Browsing): Promise<boolean> {
  const page = await new Browser(browsing).open(authorization(browsing.url).address);
  return page.text.includes('name="password"');
}

/** @param isAbandoned leaves the code unused @returns whether the application was given what it has to be given */
export async function logInToApplication(
  browsing: Browsing,
  { username, isAbandoned }: { readonly username: string; readonly isAbandoned: boolean },
): Promise<boolean> {
  const browser = new Browser(browsing);
  const { address, verifier } = authorization(browsing.url);
  const page = await browser.open(address);
  const form = new URLSearchParams({ ...hiddenFields(page.text), username, password: passwordOf(username) });
  const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page.text) ?? [];
  const back = new URL((await browser.open(new URL(action, page.url).href, `${form}`)).url);
  const code = back.searchParams.get('code');
  if (code === null || isAbandoned) return code !== null;
  const tokens = await grant(browsing, { grant_type: 'authorization_code', code, code_verifier: verifier });
  const { access_token, refresh_token } = JSON.parse(tokens.text);
  const authorized = { headers: { authorization: `Bearer ${access_token}` } };
  const user = await browsing.web.ask(`${browsing.url}openid/userinfo`, authorized);
  const fresh = await grant(browsing, { grant_type: 'refresh_token', refresh_token });
  return user.text.includes(username) && fresh.text.includes('access_token');
}

const hiddenFields = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(/<input[^>]*type="hidden"[^>]*>/g), ([input]) => [
      / name="([^"]*)"/.exec(input)?.[1] ?? '',
      / value="([^"]*)"/.exec(input)?.[1] ?? '',
    ]),
  );

function grant({ web, url }: Browsing, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const basic = Buffer.from(`${wiki.id}:${wiki.secret}`).toString('base64');
  return web.ask(`${url}openid/token`, {
    body: `${new URLSearchParams({ ...fields, redirect_uri: wiki.callback })}`,
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
  });
}
