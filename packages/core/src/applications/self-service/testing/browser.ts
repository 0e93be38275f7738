/** A browser at a user's own page, for tests. */
import type { Fixture } from '../../../testing/bed/fixture.ts';

export interface Page {
  readonly status: number;
  readonly body: Record<string, unknown> & { error?: { reason?: string; data?: string }; result?: unknown };
}

/** A browser at `/self/`: it keeps the cookie, and the token that its page has read. */
export class Browser {
  readonly #node: Pick<Fixture, 'service'>;
  readonly #address: string;
  cookie = '';
  csrf = '';

  constructor(node: Pick<Fixture, 'service'>, address = '198.51.100.7') {
    this.#node = node;
    this.#address = address;
  }

  async ask(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Page> {
    const headers = new Headers({ 'content-type': 'application/json', 'x-csrf-token': this.csrf, ...more });
    if (this.cookie !== '') headers.set('cookie', `SVCSELF=${this.cookie}`);
    const response = await this.#node.service.web.answer({
      ...{ method, url: new URL(path, 'https://localhost:8443'), headers },
      ...{ address: this.#address, port: 40_000, body: async () => Buffer.from(JSON.stringify(body ?? '')) },
    });
    for (const line of response.cookies ?? []) {
      if (!/; Path=\/self; Secure; HttpOnly; SameSite=Strict/.test(line))
        throw new Error(`a cookie for all: ${line}`);
      this.cookie = /^SVCSELF=([^;]*)/.exec(line)?.[1] ?? '';
    }
    return { status: response.status, body: JSON.parse(String(response.body) || '{}') };
  }

  async signIn(shown: object): Promise<Page> {
    const page = await this.ask('POST', '/self/session', shown);
    this.csrf = String(page.body.csrf ?? '');
    return page;
  }

  call(method: string, params: object) {
    return this.ask('POST', '/self/rpc', { jsonrpc: '2.0', id: 1, method, params });
  }
}
