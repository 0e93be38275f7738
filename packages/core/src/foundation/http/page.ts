/** Plain HTML pages in our style. A content security policy permits only the page's own script, and no other resource. */
import { hash } from 'node:crypto';
import type { WebResponse } from './http.ts';

export interface HtmlPage {
  /** Text. */
  readonly title: string;
  /** HTML. */
  readonly main: string;
  /** RFC 5646; by default English. */
  readonly language?: string;
  /** Further origins that a form may be redirected to: browsers apply `form-action` to redirects. */
  readonly leadsTo?: readonly string[];
  readonly status?: number;
  /** A script at the end of the page; none if left out. */
  readonly script?: string;
}

export function htmlPage({
  title,
  main,
  language = 'en',
  leadsTo = [],
  status = 200,
  script,
}: HtmlPage): WebResponse {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'sha256-${styleDigest}'`,
        ...(script === undefined ? [] : [`script-src 'sha256-${hash('sha256', script, 'base64')}'`]),
        ["form-action 'self'", ...leadsTo].join(' '),
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body: `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</html>
`,
  };
}

/** Escapes text for HTML, also in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const hiddenField = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;

const style = `:root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:24rem;padding:1.5rem}
h1{font-size:1.5rem}
label{display:block;font-weight:600;margin-top:1rem}
input,button{box-sizing:border-box;font:inherit;min-height:3rem;padding:0 .75rem;width:100%}
button{background:#0b57d0;border:0;border-radius:.25rem;color:#fff;font-weight:600;margin-top:1.5rem}
button:focus-visible{outline:.2rem solid;outline-offset:.2rem}
textarea{box-sizing:border-box;font:1rem/1.4 monospace;min-height:8rem;padding:.5rem;width:100%}
pre,code{font:1rem/1.4 monospace;overflow-wrap:anywhere;white-space:pre-wrap}
svg{display:block;height:auto;max-width:100%}
.hint{font-size:1rem;margin:.25rem 0 0}
[role=alert]{border-left:.25rem solid #c00;padding-left:.75rem}`;

const styleDigest = hash('sha256', style, 'base64');
