/**
 * The page of a link for people outside of the directory: plain HTML without script or foreign content. It shows the question and asks for
 * an answer.
 */
import type { WebResponse } from '../../../../foundation/http/http.ts';
import { escapeHtml, htmlPage } from '../../../../foundation/http/page.ts';
import type { TransactionState } from '../../../phone/transaction.ts';
import type { OtpPageWords } from '../../page-words/index.ts';

/** @param link letters and digits */
export function askPage(link: string, { kind, state, words }: AskedPage): WebResponse {
  const [title, asks, yes] =
    kind === 'confirm'
      ? [words.confirmTitle, words.confirmAsks, words.confirm]
      : [words.signTitle, words.signAsks, words.sign];
  const size = new Intl.NumberFormat(words.language, { style: 'unit', unit: 'byte', unitDisplay: 'long' });
  const length = Buffer.from(state.file ?? '', 'base64').length;
  return htmlPage({
    title,
    language: words.language,
    main: `<p>${escapeHtml(asks.replace('{issuer}', () => state.issuer))}</p>
<p><a href="externfile?session=${link}">${escapeHtml(words.seeFile)}</a> (${escapeHtml(size.format(length))})</p>
<p class="hint">SHA-256: ${escapeHtml((state.fileDigest ?? '').replace(/.{8}(?=.)/g, '$& '))}</p>
<form method="post" action="extern">
<input type="hidden" name="session" value="${link}">
<button name="decision" value="confirm">${escapeHtml(yes)}</button>
<button name="decision" value="refuse">${escapeHtml(words.refuse)}</button>
</form>`,
  });
}

export interface AskedPage {
  readonly kind: 'confirm' | 'sign';
  readonly state: TransactionState;
  readonly words: OtpPageWords;
}

export const answeredPage = (decision: 'confirm' | 'refuse', words: OtpPageWords): WebResponse =>
  htmlPage({
    title: decision === 'confirm' ? words.thanks : words.refused,
    language: words.language,
    main: `<p role="status">${escapeHtml(words.taken)}</p>`,
  });

export const overPage = (words: OtpPageWords): WebResponse =>
  htmlPage({
    title: words.overTitle,
    language: words.language,
    main: `<p role="alert">${escapeHtml(words.answerOver)}</p>`,
    status: 404,
  });

/** Answers the file as a download, never as a page of ours: its author is not trusted. */
export function filePage(state: TransactionState): WebResponse {
  const body = Buffer.from(state.file ?? '', 'base64');
  const isPdf = body.subarray(0, 5).toString('latin1') === '%PDF-';
  return {
    status: 200,
    headers: {
      'content-type': isPdf ? 'application/pdf' : 'application/octet-stream',
      'content-disposition': `attachment; filename="${isPdf ? 'file.pdf' : 'file.bin'}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}
