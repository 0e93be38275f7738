/** A site of prebuilt files. Its content security policy permits its own scripts and resources only. */
import type { WebRequest, WebResponse } from './http.ts';

export interface SiteFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The name contains a hash of the content: browsers may cache the file for ever. */
  readonly hashed: boolean;
  /** Compressed bytes; undefined where compression gains nothing. */
  readonly brotli: Uint8Array | undefined;
  readonly gzip: Uint8Array | undefined;
}

/** Files by their paths below the site: `index.html`, `assets/main-Bx3k9.js`. */
export type SiteFiles = ReadonlyMap<string, SiteFile>;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const safe = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/**
 * Answers a request for a file or a page of the site.
 * @param at path of the site, with a slash at both ends: `/admin/`
 */
export function siteResponse(
  { method, url, headers }: Pick<WebRequest, 'method' | 'url' | 'headers'>,
  files: SiteFiles,
  at: string,
): WebResponse {
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Method Not Allowed', { allow: 'GET, HEAD' });
  if (url.pathname === at.slice(0, -1)) return plain(308, '', { location: at });
  const file = fileAt(url.pathname.slice(at.length), files);
  if (!file) return plain(404, 'Not Found');
  const { encoding, bytes } = compressedFor(headers.get('accept-encoding') ?? '', file);
  return {
    status: 200,
    headers: {
      ...safe,
      'content-type': file.contentType,
      'cache-control': file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'Accept-Encoding',
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body: bytes,
  };
}

/**
 * Finds the file of a path. All pages are `index.html`, which routes in the browser. A path is a page unless it ends like a file: names of
 * methods and entries have dots, too.
 */
const fileAt = (path: string, files: SiteFiles): SiteFile | undefined =>
  files.get(path) ?? (fileName.test(path) ? undefined : files.get('index.html'));

const fileName = /\.(?:html|js|css|map|json|txt|md|xml|svg|png|jpg|ico|woff2?|php)$/i;

function compressedFor(
  accepted: string,
  { bytes, brotli, gzip }: SiteFile,
): { readonly encoding?: string; readonly bytes: Uint8Array } {
  const takes = (coding: string) =>
    new RegExp(`(?:^|[\\s,])${coding}\\s*(?:,|$|;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$)))`).test(accepted);
  if (brotli && takes('br')) return { encoding: 'br', bytes: brotli };
  if (gzip && takes('gzip')) return { encoding: 'gzip', bytes: gzip };
  return { bytes };
}

const plain = (status: number, text: string, headers: WebResponse['headers'] = {}): WebResponse => ({
  status,
  headers: { ...safe, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: text,
});
