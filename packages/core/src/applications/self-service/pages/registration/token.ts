/** Registration of a token by a link: its secret as a QR code, and a code that proves that the app has scanned it. */

import { judgeOath, type TypeAndState, tokenRules } from '../../../../authenticators/token.ts';
import { formatState } from '../../../../authenticators/token-data.ts';
import type { WebResponse } from '../../../../foundation/http/http.ts';
import { escapeHtml } from '../../../../foundation/http/page.ts';
import { toBase32 } from '../../../../foundation/oath/base32.ts';
import { formatUri } from '../../../../foundation/oath/uri.ts';
import { encodeModules } from '../../../../foundation/qr/matrix.ts';
import { drawSvg } from '../../../../foundation/qr/svg.ts';
import { read } from '../../../../table/setting.ts';
import { issuerOf } from '../../../phone/issuer.ts';
import { selfregSettings } from '../../settings.ts';
import { type Alert, button, donePage, field, form, paragraph } from '../html.ts';
import type { PageVisit } from '../visit.ts';
import { type Registering, registerOnce, registrationPage } from './once.ts';

export const tokenPage = (registering: Registering, visit: PageVisit): WebResponse =>
  scanPage(registering, visit);

function scanPage(registering: Registering, visit: PageVisit, alert?: Alert): WebResponse {
  const { words, token } = visit;
  const secret = secretOf(registering);
  const picture = drawSvg(encodeModules(uriOf(registering, visit)), { size: 4, margin: 4 });
  const code = { name: 'code', label: words.code, autocomplete: 'one-time-code', longest: 20, isFirst: true };
  return registrationPage(registering, visit, {
    alert,
    main:
      paragraph(words.scan) +
      picture.replace('<svg ', `<svg role="img" aria-label="${escapeHtml(words.qr)}" `) +
      `<p>${escapeHtml(words.secret)}: <code>${toBase32(secret)}</code></p>\n` +
      form({ token }, field(code) + button(words.confirm)),
  });
}

const secretOf = ({ link }: Registering): Uint8Array => Buffer.from(link.seed, 'base64');

function newToken({ profile: { settings } }: Registering): TypeAndState {
  return read(settings, selfregSettings.DefaultTokenType) === 'HOTP'
    ? { type: 'HOTP', state: { counter: 0 } }
    : { type: 'TOTP', state: { step: 0, drift: 0 } };
}

/** Makes the URI by the present settings, which the registration uses as well. */
function uriOf(registering: Registering, { view }: PageVisit): string {
  const { link, profile } = registering;
  const { digits, period } = tokenRules(profile.settings);
  const { type } = newToken(registering);
  const { username: userid, domain } = link.name;
  return formatUri({
    ...{ type, name: userid, userid, domain, digits },
    secret: secretOf(registering),
    ...issuerOf(profile.settings, view),
    moving: type === 'HOTP' ? 0 : period,
  });
}

export async function registerToken(registering: Registering, visit: PageVisit): Promise<WebResponse> {
  const { words, form: entered, view } = visit;
  const { link, item, calls, profile } = registering;
  const secret = secretOf(registering);
  const token = { ...newToken(registering), secret };
  const code = (entered?.get('code') ?? '').replace(/\s+/g, '');
  const options = { rules: tokenRules(profile.settings), now: view.clock.now(), accepted: undefined };
  const right = judgeOath(token, code, options);
  if (!right) return scanPage(registering, visit, { text: words.wrong });
  const { type, state } = right;
  const params = {
    ...{ dn: link.dn.format(), key: link.seed, id: Number(item.slice('Token'.length)) },
    // The code that was entered is used up.
    state: formatState(state),
  };
  return registerOnce(registering, visit, {
    run: () => calls.run({ does: 'registers', of: type }, params),
    done: () => donePage(words, { title: words.registerTitle, text: words.tokenDone }),
    refused: (alert) => scanPage(registering, visit, alert),
  });
}
