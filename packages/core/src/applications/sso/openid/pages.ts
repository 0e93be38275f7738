/** The login pages of OpenID Connect, which work without a script. */

import { deviceField, touchScript } from '../../../foundation/http/device-form.ts';
import type { WebResponse } from '../../../foundation/http/http.ts';
import { escapeHtml, hiddenField, htmlPage } from '../../../foundation/http/page.ts';
import type { LoginWords } from './words.ts';

export interface LoginPage {
  readonly words: LoginWords & { readonly language: string };
  readonly application: string;
  /** The address to which the browser is sent in the end. */
  readonly redirectUri: string;
  readonly alert?: 'wrong' | 'over' | 'unavailable' | 'locked' | undefined;
  /** Is known already. */
  readonly username?: string | undefined;
  /** The second factor, in the words of the login. */
  readonly wanted?: SecondFactor | undefined;
}

export interface SecondFactor {
  readonly message: string;
  readonly session: string;
  /** A code is taken. */
  readonly code: boolean;
  /** The challenge to FIDO2 devices, JSON; undefined: none. */
  readonly device?: string | undefined;
}

export function loginPage({
  words,
  application,
  redirectUri,
  alert,
  username = '',
  wanted,
}: LoginPage): WebResponse {
  const fields = wanted ? secondFields(wanted, words, username) : passwordFields(words, username);
  const alertText = alert === undefined ? '' : `<p role="alert" id="wrong">${escapeHtml(words[alert])}</p>\n`;
  return htmlPage({
    title: words.logIn,
    language: words.language,
    // Browsers look at all redirects that follow, those of the application too.
    leadsTo: ['https:', new URL(redirectUri).origin],
    main: `<p>${escapeHtml(words.goesTo.replace('{application}', () => application))}</p>
${alertText}<form method="post">
${fields}
${wanted && !wanted.code ? '' : `<button>${escapeHtml(words.logIn)}</button>\n`}</form>`,
    ...(wanted?.device !== undefined && { script: touchScript }),
  });
}

const passwordFields = (words: LoginWords, username: string): string =>
  `<label for="username">${escapeHtml(words.name)}</label>
<input id="username" name="username" required maxlength="255" autocomplete="username" value="${escapeHtml(username)}"${username === '' ? ' autofocus' : ''}>
<label for="password">${escapeHtml(words.password)}</label>
<input id="password" name="password" type="password" maxlength="1024" autocomplete="current-password"${username === '' ? '' : ' autofocus'}>`;

const secondFields = (wanted: SecondFactor, words: LoginWords, username: string): string =>
  [
    hiddenField('session', wanted.session),
    hiddenField('username', username),
    hiddenField('message', wanted.message),
    ...(wanted.code ? [codeField(wanted)] : [hiddenField('without', 'code')]),
    ...(wanted.device === undefined ? [] : [deviceField(wanted.device, words)]),
  ].join('\n');

const codeField = ({ message, device }: SecondFactor): string =>
  `<label for="code">${escapeHtml(message)}</label>
<input id="code" name="code"${device === undefined ? ' required' : ''} maxlength="255" autocomplete="one-time-code" autofocus>`;

type Words = LoginPage['words'];

export const logoutPage = (
  words: Words,
  { action, xsrf }: { readonly action: string; readonly xsrf: string },
) =>
  htmlPage({
    title: words.logOut,
    language: words.language,
    // Applications say where browsers go afterwards; each of these addresses is configured.
    leadsTo: ['https:', 'http://127.0.0.1:*', 'http://localhost:*'],
    main: `<p>${escapeHtml(words.reallyLogOut)}</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="xsrf" value="${escapeHtml(xsrf)}">
<button name="logout" value="yes" autofocus>${escapeHtml(words.logOut)}</button>
<button>${escapeHtml(words.stay)}</button>
</form>`,
  });

export const loggedOutPage = (words: Words): WebResponse =>
  htmlPage({
    title: words.logOut,
    language: words.language,
    main: `<p role="status">${escapeHtml(words.loggedOut)} ${escapeHtml(words.mayClose)}</p>`,
  });

export const errorPage = (
  words: Words,
  { error, description }: { readonly error: string; readonly description: string },
): WebResponse =>
  htmlPage({
    title: words.notPossible,
    language: words.language,
    status: 400,
    main: `<p role="alert">${escapeHtml(error)}: ${escapeHtml(description)}</p>`,
  });
