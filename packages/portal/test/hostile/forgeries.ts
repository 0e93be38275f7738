/** What a page of somebody else tries, in the browser: each runs there, and uses nothing of here. */

export interface Form {
  readonly url: string;
  readonly body: string;
  readonly enctype: string;
}

/** As browsers send JSON for a form: its first half is a name, its second a value. */
export function postForm({ url, body, enctype }: Form): void {
  const frame = document.createElement('iframe');
  frame.name = `frame-${Math.random()}`;
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    action: url,
    target: frame.name,
  });
  form.setAttribute('enctype', enctype);
  const half = body.indexOf(':') + 1;
  const field = Object.assign(document.createElement('input'), { type: 'hidden' });
  field.name = `${body.slice(0, half)}"`;
  field.value = `",${body.slice(half)}`;
  form.append(field);
  document.body.append(frame, form);
  form.submit();
}

export interface Reading {
  readonly urls: readonly string[];
  readonly bodies: readonly string[];
}

/** @returns what could be read of an answer; nothing is what it should be */
export async function readByScript({ urls, bodies }: Reading): Promise<string[]> {
  const read: string[] = [];
  const methods = ['GET', 'POST', 'DELETE', 'PUT'];
  const headers = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json' },
    { 'content-type': 'application/json', 'x-csrf-token': '0'.repeat(64) },
  ];
  for (const url of urls)
    for (const method of methods)
      for (const mode of ['cors', 'no-cors'] as const)
        for (const header of headers) {
          const options = { method, mode, headers: header, credentials: 'include' as const };
          const body = method === 'GET' ? {} : { body: bodies[url.endsWith('session') ? 0 : 1] ?? '' };
          const answer = await fetch(url, { ...options, ...body }).catch(() => undefined);
          const text = await answer?.text();
          if (text) read.push(`${method} ${url}: ${text}`);
        }
  for (const url of urls) navigator.sendBeacon(url, new Blob([bodies[0] ?? ''], { type: 'text/plain' }));
  const load = (tag: 'script' | 'img' | 'link', url: string) =>
    new Promise<void>((resolve) => {
      const element = document.createElement(tag);
      const done = (was: string) => () => {
        if (was === 'read') read.push(`${tag} ${url}`);
        resolve();
      };
      element.addEventListener('load', done('read'));
      element.addEventListener('error', done('not read'));
      element.setAttribute(tag === 'link' ? 'href' : 'src', url);
      if (tag === 'link') element.setAttribute('rel', 'stylesheet');
      document.head.append(element);
    });
  for (const url of urls) for (const tag of ['script', 'img', 'link'] as const) await load(tag, url);
  return read;
}

export function frameAll(pages: readonly string[]): void {
  const frames = pages.map((src) => Object.assign(document.createElement('iframe'), { src }));
  document.body.replaceChildren(...frames);
}
