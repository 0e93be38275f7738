/** The part of `fetch` that the client needs: that of browsers, of Node and of undici fit. */

export interface FetchRequest {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string;
  /** A redirect is answered to the client, never followed with credentials. */
  readonly redirect: 'manual';
  /** Lets a browser keep and send the session cookie. */
  readonly credentials: 'include';
  readonly signal: AbortSignal;
}

export interface FetchResponse {
  /** 0 where a browser hides a redirect. */
  readonly status: number;
  /** `getSetCookie` is missing in older browsers, where it would give nothing. */
  readonly headers: { get(name: string): string | null; getSetCookie?(): string[] };
  readonly body: FetchBody | null;
}

export interface FetchBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

export type Fetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;
