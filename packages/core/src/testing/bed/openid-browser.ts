/** A browser at the pages of OpenID Connect, for tests. */
import type { HttpResponse, WebRequest } from '../../foundation/http/http.ts';

/** A service, or an engine in the place of its web services. */
export interface OpenIdNode {
  readonly service: { readonly web: { answer(request: WebRequest): Promise<HttpResponse> } };
}

const issuer = 'https://localhost:8443/openid';

/** A browser that keeps cookies, and follows no redirect unasked. */
export class OpenIdBrowser {
  readonly #node: OpenIdNode;
  readonly #cookies = new Map<string, string>();
  readonly #language: string;
  readonly #address: string;

  constructor(node: OpenIdNode, language = 'en', address = '198.51.100.7') {
    this.#node = node;
    this.#language = language;
    this.#address = address;
  }

  async ask(
    url: string,
    form?: Record<string, string>,
    more: Record<string, string> = {},
  ): Promise<HttpResponse> {
    const headers = new Headers({ 'accept-language': this.#language, ...more });
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
    if (cookie !== '') headers.set('cookie', cookie);
    if (form) headers.set('content-type', 'application/x-www-form-urlencoded');
    const response = await this.#node.service.web.answer({
      ...{ method: form ? 'POST' : 'GET', url: new URL(url, issuer), headers },
      ...{ address: this.#address, port: 40_000 },
      body: async () => Buffer.from(new URLSearchParams(form).toString()),
    });
    for (const line of response.cookies ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=Thu, 01 Jan 1970/.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }

  /** Follows our pages and redirects. @returns a page, or the address outside */
  async follow(url: string, form?: Record<string, string>): Promise<{ at: string; response: HttpResponse }> {
    let [at, response] = [new URL(url, issuer).href, await this.ask(url, form)];
    for (let hops = 0; hops < 10; hops += 1) {
      const to = response.headers.location;
      if (to === undefined) return { at, response };
      at = new URL(to, at).href;
      if (!at.startsWith(issuer)) return { at, response };
      response = await this.ask(at);
    }
    throw new Error(`no end at ${at}`);
  }
}

/** The session of the challenge that a page asks about; empty: it asks about none. */
export const sessionIn = ({ body }: HttpResponse): string =>
  /name="session" value="([^"]+)"/.exec(String(body))?.[1] ?? '';
