/**
 * The page that confirms a mobile session in the browser of a phone: plain HTML, no script, nothing from elsewhere.
 * The session's id is in the form and not in the address that is asked next, and no address is passed on.
 */
import type { WebAnswer } from '../../http/http.ts';
import { htmlPage } from '../../http/page.ts';

export interface Form {
  /** Letters and digits. */
  readonly session: string;
  readonly needsPincode: boolean;
  /** What was entered before was not right. */
  readonly isWrong?: boolean;
}

export function formPage({ session, needsPincode, isWrong = false }: Form): WebAnswer {
  // Not which of them: whoever has found the QR code would learn what is left to guess.
  const wrong = needsPincode ? 'The code or the PIN was not right.' : 'The code was not right.';
  const alert = isWrong ? `<p role="alert" id="wrong">${wrong} Please try again.</p>\n` : '';
  const described = isWrong ? ' aria-describedby="wrong" aria-invalid="true"' : '';
  return page(
    'Confirm your token',
    `<p>Enter the code that your authenticator app shows now.</p>
${alert}<form method="post" action="?action=mobile">
<input type="hidden" name="session" value="${session}">
<label for="otp">Code</label>
<input id="otp" name="otp" required maxlength="20" inputmode="numeric" autocomplete="one-time-code" autofocus${described}>
${needsPincode ? pincodeField : ''}<button>Confirm</button>
</form>`,
  );
}

const pincodeField = `<label for="pincode">PIN</label>
<input id="pincode" name="pincode" type="password" required maxlength="64" autocomplete="off" aria-describedby="hint">
<p class="hint" id="hint">The one for this QR code.</p>
`;

export const confirmedPage = (): WebAnswer =>
  page(
    'Token confirmed',
    `<p role="status">Your authenticator app is set up. To log in, wait for its next code: this one is used up.</p>
<p>You can close this page.</p>`,
  );

export const laterPage = (): WebAnswer => ({
  ...page(
    'Not possible now',
    '<p role="alert">Your code was right, but the server cannot keep your token now. Please tell your administrator. The QR code stays good for its time.</p>',
  ),
  status: 503,
});

export const overPage = (): WebAnswer => ({
  ...page(
    'Not available',
    '<p role="alert">This registration is over or was never started. If your app is not set up yet, ask for a new QR code.</p>',
  ),
  status: 404,
});

const page = (title: string, main: string): WebAnswer => htmlPage({ title, main });
