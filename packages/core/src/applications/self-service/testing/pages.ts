/** A browser without scripts that opens pages of links and sends their forms, for tests. */
import type { WebResponse } from '../../../foundation/http/http.ts';
import type { Fixture } from '../../../testing/bed/fixture.ts';

export interface Opened {
  readonly status: number;
  readonly text: string;
  readonly headers: WebResponse['headers'];
  /** The hidden fields of its first form. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface Asking {
  readonly form?: Readonly<Record<string, string>>;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the page is at the Manager's address. */
  readonly isShared?: boolean;
}

export async function open(
  { service }: Pick<Fixture, 'service'>,
  link: string,
  { form, address = '198.51.100.7', headers = {}, isShared = false }: Asking = {},
): Promise<Opened> {
  const url = new URL(link, 'https://localhost:8443');
  if (form) url.search = '';
  const request = {
    ...{ method: form ? 'POST' : 'GET', url, address, port: 40_000 },
    headers: new Headers({ 'accept-language': 'en', ...headers }),
    body: async () => Buffer.from(new URLSearchParams(form).toString()),
  };
  const response = await (isShared ? service.web.answerShared(request) : service.web.answer(request));
  if (!response) throw new Error('nothing stands there');
  const text = String(response.body);
  const hidden = [
    ...(/<form[\s\S]*?<\/form>/.exec(text)?.[0] ?? '').matchAll(
      /type="hidden" name="(\w+)" value="([^"]*)"/g,
    ),
  ];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescape(value)]));
  return { status: response.status, text, headers: response.headers, fields };
}

const unescape = (html: string): string =>
  html.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
