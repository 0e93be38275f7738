/** The site of the pages of links, which both servers serve. */

import { isReason } from '../../../foundation/errors/errors.ts';
import { Origins } from '../../../foundation/http/cross-site.ts';
import { formFields } from '../../../foundation/http/form.ts';
import type { WebRequest, WebResponse } from '../../../foundation/http/http.ts';
import { plainText } from '../../../foundation/http/response.ts';
import { addressBlock } from '../../../foundation/text/network.ts';
import { randomWord } from '../../../ports/random.ts';
import type { OpenSite, Site, SiteDoors } from '../../../table/site.ts';
import type { RowView } from '../../context/call.ts';
import type { LinkApplication } from '../link/link.ts';
import { overPage, unavailablePage } from './html.ts';
import type { SelfPages } from './visit.ts';
import { type PageWords, wordsFor } from './words/index.ts';

/** Longest body, in bytes: a public key fits. */
const longestForm = 32_768;
/** From one address, or one /64 of IPv6, in a minute. */
const mostAsked = 240;

class LinkSite implements OpenSite {
  readonly #pages: SelfPages;
  readonly #view: RowView;
  readonly #doors: SiteDoors;
  readonly #origins: Origins;

  constructor(pages: SelfPages, view: RowView, doors: SiteDoors) {
    this.#pages = pages;
    this.#view = view;
    this.#doors = doors;
    this.#origins = new Origins(view.config.ws_origins);
  }

  /** Throws nothing. */
  async answer(request: WebRequest): Promise<WebResponse> {
    const { default_language: otherwise } = this.#view.config;
    const words = wordsFor(request.headers.get('accept-language') ?? '', otherwise);
    try {
      return await this.#serve(request, words);
    } catch (error) {
      if (isReason(error, 'too_large')) return { ...overPage(words), status: 413 };
      if (isReason(error, 'parse_error'))
        return plainText(400, 'The form is not in UTF-8; send it as UTF-8.');
      this.#view.log.error('a page behind a link failed', { error });
      return unavailablePage(words, 503);
    }
  }

  async #serve(request: WebRequest, words: PageWords): Promise<WebResponse> {
    const { method, url, address, port, signal } = request;
    if (method !== 'GET' && method !== 'POST') return { ...overPage(words), status: 405 };
    if (method === 'POST' && this.#origins.isForged(request)) return { ...overPage(words), status: 403 };
    if (!(await this.#admits(address))) return unavailablePage(words, 429);
    const form = method === 'POST' ? formFields(await request.body(longestForm)) : undefined;
    return this.#pages({
      ...{ words, form, address, signal, view: this.#view, own: this.#doors.own },
      token: form?.get('token') ?? url.searchParams.get('token') ?? '',
      transaction: { id: randomWord(this.#view.random, 8), client: `${address}:${port}` },
    });
  }

  /** Nobody tries out links in numbers, though there are far too many to find one. */
  async #admits(address: string): Promise<boolean> {
    const step = { by: 1, limit: mostAsked, seconds: 60 };
    return (await this.#view.ephemeral.count(`links:${addressBlock(address)}`, step)) !== undefined;
  }
}

/** Below `/webapps/`, at the word of the application. */
export const linkSite = (word: LinkApplication, pages: SelfPages): Site<RowView> => ({
  path: (names) => `webapps/${names.theirs(word)}`,
  isShared: true,
  open: (view, doors) => (view.webapps.find(word).enabled ? new LinkSite(pages, view, doors) : undefined),
});
