/** A browser without JavaScript: cookies, redirects inside of the servers, and forms with their hidden fields. */
import type { Stand } from './stand.ts';

export interface Page {
  /** Where it is, or where the servers sent the browser to. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** The origins that the tab follows redirects to, and the way it asks. */
interface Sites extends Pick<Stand, 'send'> {
  readonly addresses: Pick<Stand['addresses'], 'manager' | 'ws'>;
}

export class BrowserTab {
  readonly #stand: Sites;
  readonly #cookies = new Map<string, string>();

  constructor(stand: Sites) {
    this.#stand = stand;
  }

  /** Opens an address and follows redirects as long as they stay at our servers. */
  async open(url: string, form?: URLSearchParams): Promise<Page> {
    const { manager, ws } = this.#stand.addresses;
    let [at, body] = [url, form];
    for (let hops = 0; hops < 10; hops += 1) {
      if (!at.startsWith(manager) && !at.startsWith(ws)) return { url: at, status: 0, text: '' };
      const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const answer = await this.#stand.send(at, {
        ...{ method: body ? 'POST' : 'GET', headers: { cookie, 'accept-language': 'en' } },
        ...(body && { body }),
      });
      for (const line of answer.headers.getSetCookie()) this.#keep(line);
      const to = answer.headers.get('location');
      const text = await answer.text();
      if (to === null) return { url: at, status: answer.status, text };
      [at, body] = [new URL(to, at).href, undefined];
    }
    throw new Error(`The redirects do not end: ${at}`);
  }

  /** Sends the first form of a page with what somebody enters. */
  submit(page: Page, entered: Readonly<Record<string, string>>): Promise<Page> {
    const [form = ''] = /<form[\s\S]*?<\/form>/.exec(page.text) ?? [];
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(form) ?? [];
    const fields = new URLSearchParams();
    for (const [input] of form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
      const [, name = ''] = / name="([^"]*)"/.exec(input) ?? [];
      const [, value = ''] = / value="([^"]*)"/.exec(input) ?? [];
      fields.set(name, unescape(value));
    }
    for (const [name, value] of Object.entries(entered)) fields.set(name, value);
    return this.open(new URL(unescape(action), page.url).href, fields);
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

const unescape = (html: string): string =>
  html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll('&amp;', '&');
