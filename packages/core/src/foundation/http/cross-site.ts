/**
 * Pages of other origins. One can have a browser send a form here, with what the browser keeps for us, or from where only it
 * stands (CSRF). Browsers tell where a request comes from (W3C Fetch Metadata), and for what no form can send they ask first
 * whether it is welcome (CORS, Fetch standard §3.3); programs tell nothing.
 */

/** What of a request says where it comes from. */
interface Told {
  readonly method: string;
  readonly headers: Pick<Headers, 'get'>;
}

/** Headers of an answer. */
type Said = Readonly<Record<string, string>>;

export const nothingSaid: Said = {};

/** The origins whose pages may ask by script, as the configuration lists them. */
export class Origins {
  readonly #listed: ReadonlySet<string>;

  /** @param listed as browsers write them: `https://portal.example.com` */
  constructor(listed: readonly string[]) {
    this.#listed = new Set(listed);
  }

  /** A browser sends it for a page of another site, which neither had to ask nor is listed. */
  isForged({ headers }: Pick<Told, 'headers'>): boolean {
    const from = headers.get('sec-fetch-site');
    const isForeign = from === 'cross-site' || from === 'same-site';
    if (!isForeign || this.lists({ headers })) return false;
    return !/^application\/json *(?:;|$)/i.test(headers.get('content-type') ?? '');
  }

  /** Returns whether a request comes from a page of a listed origin. */
  lists({ headers }: Pick<Told, 'headers'>): boolean {
    return this.#listedOf(headers) !== undefined;
  }

  /** A browser asks for a page of a listed origin what it may send. */
  isPreflight({ method, headers }: Told): boolean {
    const isAsking = method === 'OPTIONS' && headers.get('access-control-request-method') !== null;
    return isAsking && this.lists({ headers });
  }

  /** What a preflight is answered, beside {@link answering}. @param methods that are answered there */
  permitting(methods: readonly string[]): Said {
    return {
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers':
        'authorization, content-type, soapaction, wa-api-key, x-api-key, x-dry-run',
      'access-control-max-age': '600',
    };
  }

  /**
   * What every answer to a script says: which one origin may read it, and send cookies, logins and certificates with what it asks.
   * Where origins are listed, a cache is told that others are answered otherwise; else {@link nothingSaid}.
   */
  answering({ headers }: Pick<Told, 'headers'>): Said {
    if (this.#listed.size === 0) return nothingSaid;
    const origin = this.#listedOf(headers);
    if (origin === undefined) return { vary: 'Origin' };
    return {
      vary: 'Origin',
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'retry-after, www-authenticate',
    };
  }

  #listedOf(headers: Told['headers']): string | undefined {
    const origin = headers.get('origin');
    return origin !== null && this.#listed.has(origin) ? origin : undefined;
  }
}
