/** Requests by HTTPS: on connections that are kept, on one of their own, and such as hang up. */
import { Agent, type RequestOptions, request } from 'node:https';

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
  readonly location: string | undefined;
}

export interface Asked {
  /** POST, where there is one. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A connection of its own. */
  readonly isAlone?: boolean;
  /** The address that it comes from, on loopback, on a connection of its own. */
  readonly from?: string;
  /** Hangs up when the request is on its way. */
  readonly isRude?: boolean;
}

/** One of 4,000 addresses on loopback, for what goes by the address of the connection. */
export const onLoopback = (number: number): string =>
  `127.0.${1 + (Math.floor(number / 125) & 31)}.${1 + (number % 125)}`;

export class Web {
  readonly #kept: Agent;
  readonly #ca: string;

  /** @param ca PEM */
  constructor(ca: string) {
    this.#ca = ca;
    this.#kept = new Agent({ ca, keepAlive: true, maxSockets: 32 });
  }

  /** @returns the answer; undefined of a client that has hung up */
  ask(url: string, asked: Asked & { readonly isRude: true }): Promise<undefined>;
  ask(url: string, asked?: Asked): Promise<Answer>;
  ask(url: string, { body, headers = {}, isAlone, from, isRude }: Asked = {}): Promise<Answer | undefined> {
    const own: RequestOptions =
      isAlone || from !== undefined || isRude
        ? { ca: this.#ca, agent: false, ...(from !== undefined && { localAddress: from }), family: 4 }
        : { agent: this.#kept };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = {
      ...own,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...length },
    };
    return new Promise((resolve, reject) => {
      const asking = request(url, options, async (response) => {
        const chunks = await response.toArray().catch(() => []);
        resolve({
          ...{ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() },
          ...{ cookies: response.headers['set-cookie'] ?? [], location: response.headers.location },
        });
      });
      asking.on('error', isRude ? () => resolve(undefined) : reject);
      if (isRude) asking.once('finish', () => setImmediate(() => asking.destroy()));
      asking.end(body);
    });
  }

  close(): void {
    this.#kept.destroy();
  }
}
