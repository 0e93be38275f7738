/**
 * Requests from pages of other origins: refused against CSRF by Fetch Metadata, and permitted by CORS (Fetch standard §3.3) for listed
 * origins (docs/decisions/0020-cross-site-requests-are-refused.md). Programs send none of these headers.
 */

/** The parts of a request that show its origin. */
interface OriginOfRequest {
  readonly method: string;
  readonly headers: Pick<Headers, 'get'>;
}

type ResponseHeaders = Readonly<Record<string, string>>;

export const noHeaders: ResponseHeaders = {};

/** The origins whose scripts may send requests, as configured. */
export class Origins {
  readonly #listed: ReadonlySet<string>;

  /** @param listed in the form of the header `Origin`: `https://portal.example.com` */
  constructor(listed: readonly string[]) {
    this.#listed = new Set(listed);
  }

  /** Returns whether a browser sent a request for an unlisted page of another origin, without a preflight. */
  isForged({ headers }: Pick<OriginOfRequest, 'headers'>): boolean {
    const from = headers.get('sec-fetch-site');
    const isForeign = from === 'cross-site' || from === 'same-site';
    if (!isForeign || this.lists({ headers })) return false;
    return !/^application\/json *(?:;|$)/i.test(headers.get('content-type') ?? '');
  }

  /** Returns whether a request comes from a page of a listed origin. */
  lists({ headers }: Pick<OriginOfRequest, 'headers'>): boolean {
    return this.#listedOf(headers) !== undefined;
  }

  /** Returns whether a request is a preflight for a listed origin. */
  isPreflight({ method, headers }: OriginOfRequest): boolean {
    const isAsking = method === 'OPTIONS' && headers.get('access-control-request-method') !== null;
    return isAsking && this.lists({ headers });
  }

  /** Returns the headers of the answer to a preflight, beside {@link answering}. @param methods allowed HTTP methods */
  permitting(methods: readonly string[]): ResponseHeaders {
    return {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers':
        'authorization, content-type, soapaction, wa-api-key, x-api-key, x-dry-run',
      'access-control-max-age': '600',
    };
  }

  /**
   * Returns the CORS headers of an answer: a listed origin may read it, and send credentials. `Vary` is set wherever origins are listed;
   * without listed origins the headers are {@link noHeaders}.
   */
  answering({ headers }: Pick<OriginOfRequest, 'headers'>): ResponseHeaders {
    if (this.#listed.size === 0) return noHeaders;
    const origin = this.#listedOf(headers);
    if (origin === undefined) return { vary: 'Origin' };
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'retry-after, www-authenticate',
    };
  }

  #listedOf(headers: OriginOfRequest['headers']): string | undefined {
    const origin = headers.get('origin');
    return origin !== null && this.#listed.has(origin) ? origin : undefined;
  }
}
