/**
 * The page that confirms a mobile session in the browser of a phone: plain HTML without script or foreign content. The session id is in
 * the form and not in the address of the next request, and no referrer is sent.
 */
import type { WebResponse } from '../../../foundation/http/http.ts';
import { escapeHtml, htmlPage } from '../../../foundation/http/page.ts';
import type { OtpPageWords } from '../page-words/index.ts';

export interface Form {
  /** Letters and digits. */
  readonly session: string;
  readonly needsPincode: boolean;
  /** The input before was wrong. */
  readonly isWrong?: boolean;
}

export function formPage({ session, needsPincode, isWrong = false }: Form, words: OtpPageWords): WebResponse {
  // Not which of them: a finder of the QR code would learn what is left to guess.
  const wrong = needsPincode ? words.wrongEither : words.wrongCode;
  const alert = isWrong ? `<p role="alert" id="wrong">${escapeHtml(wrong)}</p>\n` : '';
  const described = isWrong ? ' aria-describedby="wrong" aria-invalid="true"' : '';
  return htmlPage({
    title: words.tokenTitle,
    language: words.language,
    main: `<p>${escapeHtml(words.enterCode)}</p>
${alert}<form method="post" action="?action=mobile">
<input type="hidden" name="session" value="${session}">
<label for="otp">${escapeHtml(words.code)}</label>
<input id="otp" name="otp" required maxlength="20" inputmode="numeric" autocomplete="one-time-code" autofocus${described}>
${needsPincode ? pincodeField(words) : ''}<button>${escapeHtml(words.confirm)}</button>
</form>`,
  });
}

const pincodeField = ({ pinHint }: OtpPageWords): string => `<label for="pincode">PIN</label>
<input id="pincode" name="pincode" type="password" required maxlength="64" autocomplete="off" aria-describedby="hint">
<p class="hint" id="hint">${escapeHtml(pinHint)}</p>
`;

export const confirmedPage = (words: OtpPageWords): WebResponse =>
  htmlPage({
    title: words.tokenConfirmed,
    language: words.language,
    main: `<p role="status">${escapeHtml(words.tokenDone)}</p>
<p>${escapeHtml(words.mayClose)}</p>`,
  });

export const laterPage = (words: OtpPageWords): WebResponse => ({
  ...failedPage(words, { title: words.laterTitle, why: words.later }),
  status: 503,
});

export const overPage = (words: OtpPageWords): WebResponse => ({
  ...failedPage(words, { title: words.overTitle, why: words.registrationOver }),
  status: 404,
});

const failedPage = (
  { language }: OtpPageWords,
  { title, why }: { readonly title: string; readonly why: string },
): WebResponse => htmlPage({ title, language, main: `<p role="alert">${escapeHtml(why)}</p>` });
