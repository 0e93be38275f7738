/** The pages of the gate: plain HTML, no script, nothing from elsewhere. */
import { createHash } from 'node:crypto';

const style = `:root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}
body{margin:0 auto;max-width:24rem;padding:1.5rem}
label{display:block;font-weight:600;margin-top:1rem}
input,button{box-sizing:border-box;font:inherit;min-height:3rem;padding:0 .75rem;width:100%}
button{margin-top:1.5rem}
[role=alert]{border-left:.25rem solid #c00;padding-left:.75rem}`;

export const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

/** What is asked for: name and password, or the code of a login that has begun. */
export interface LoginForm {
  /** Where the browser goes afterwards: a path of this site. */
  readonly to: string;
  /** What was wrong. */
  readonly alert?: string;
  /** In the words of the web service, for the user to read. */
  readonly wanted?: { readonly message: string; readonly session: string; readonly username: string };
}

export const loginPage = ({ to, alert, wanted }: LoginForm): string =>
  page(
    'Log in',
    `${alert === undefined ? '' : `<p role="alert">${escape(alert)}</p>`}
<form method="post" action="/gate/login">
${hidden('to', to)}
${wanted ? codeFields(wanted) : passwordFields}
<button>Log in</button>
</form>`,
  );

export const loggedOutPage = (): string =>
  page(
    'Logged out',
    '<p role="status">You have logged out of all sites.</p><p><a href="/">Log in again</a></p>',
  );

const passwordFields = `<label for="username">Name</label>
<input id="username" name="username" required maxlength="255" autocomplete="username" autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="1024" autocomplete="current-password">`;

const codeFields = ({ message, session, username }: NonNullable<LoginForm['wanted']>): string =>
  `${hidden('session', session)}${hidden('username', username)}
<label for="code">${escape(message)}</label>
<input id="code" name="code" required maxlength="255" autocomplete="one-time-code" autofocus>`;

const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${escape(value)}">`;

const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;
