/** The page behind the link: plain HTML, no script, nothing from elsewhere. What is asked is seen before it is answered. */
import type { WebAnswer } from '../../../http/http.ts';
import { escapeHtml, htmlPage } from '../../../http/page.ts';
import type { TransactionState } from '../../../phone/transaction.ts';

const words = {
  confirm: { title: 'Confirm a file', asks: 'asks you to confirm this file', yes: 'Confirm' },
  sign: { title: 'Sign a file', asks: 'asks you to sign this file', yes: 'Sign' },
} as const;

/** @param link letters and digits */
export function askPage(link: string, kind: 'confirm' | 'sign', state: TransactionState): WebAnswer {
  const { title, asks, yes } = words[kind];
  const size = Buffer.from(state.file ?? '', 'base64').length;
  return htmlPage({
    title,
    main: `<p>${escapeHtml(state.issuer)} ${asks}.</p>
<p><a href="externfile?session=${link}">See the file</a> (${size} bytes)</p>
<p class="hint">SHA-256: ${escapeHtml((state.fileDigest ?? '').replace(/.{8}(?=.)/g, '$& '))}</p>
<form method="post" action="extern">
<input type="hidden" name="session" value="${link}">
<button name="decision" value="confirm">${yes}</button>
<button name="decision" value="refuse">Refuse</button>
</form>`,
  });
}

export const answeredPage = (decision: 'confirm' | 'refuse'): WebAnswer =>
  htmlPage({
    title: decision === 'confirm' ? 'Thank you' : 'Refused',
    main: '<p role="status">Your answer was taken. You can close this page.</p>',
  });

export const overPage = (): WebAnswer =>
  htmlPage({
    title: 'Not available',
    main: '<p role="alert">This was answered, is over, or was never asked. If you still want to answer, ask whoever sent you the link.</p>',
    status: 404,
  });

/** Downloaded and never shown as a page of ours: whoever asks may have written anything into it. */
export function filePage(state: TransactionState): WebAnswer {
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
