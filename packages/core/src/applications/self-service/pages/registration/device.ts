/** Registration of a security key or passkey by a link; the browser needs a script for it. */

import { freeDeviceSlot, readDevices } from '../../../../authenticators/device.ts';
import { ServiceError } from '../../../../foundation/errors/errors.ts';
import type { WebResponse } from '../../../../foundation/http/http.ts';
import { escapeHtml } from '../../../../foundation/http/page.ts';
import { type Alert, donePage, field, form, paragraph } from '../html.ts';
import type { PageVisit } from '../visit.ts';
import { type Registering, registerOnce, registrationPage } from './once.ts';

export const devicePage = (registering: Registering, visit: PageVisit): Promise<WebResponse> =>
  touchPage(registering, visit);

async function touchPage(registering: Registering, visit: PageVisit, alert?: Alert): Promise<WebResponse> {
  const { link, calls } = registering;
  const { words, token } = visit;
  const options = await calls.run({ does: 'offers', of: 'FIDO2' }, { ...link.name, random: link.seed });
  const name = { name: 'name', label: words.deviceName, longest: 64, isRequired: false };
  return registrationPage(registering, visit, {
    alert,
    main:
      paragraph(words.deviceHint) +
      form(
        { token, options: String(options), response: '' },
        `${field(name)}<noscript>${paragraph(words.wantsScript)}</noscript>
<button type="button" id="touch">${escapeHtml(words.device)}</button>\n`,
      ),
    script: touchScript,
  });
}

/** WebAuthn Level 2 §5.1.3, with what browsers have no `parseCreationOptionsFromJSON` for done by hand. */
const touchScript = `document.getElementById('touch').addEventListener('click', async ({ target: { form } }) => {
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '');
const publicKey = JSON.parse(form.options.value);
publicKey.challenge = bytes(publicKey.challenge);
publicKey.user.id = bytes(publicKey.user.id);
publicKey.excludeCredentials = (publicKey.excludeCredentials ?? []).map((one) => ({ ...one, id: bytes(one.id) }));
const made = await navigator.credentials.create({ publicKey });
const { attestationObject, clientDataJSON } = made.response;
const transports = made.response.getTransports ? made.response.getTransports() : [];
const response = { attestationObject: text(attestationObject), clientDataJSON: text(clientDataJSON), transports };
const whole = { id: made.id, rawId: text(made.rawId), type: made.type, response, clientExtensionResults: {} };
form.response.value = JSON.stringify(whole);
form.submit();
});`;

export async function registerDevice(registering: Registering, visit: PageVisit): Promise<WebResponse> {
  const { words, form: entered } = visit;
  const { link, calls, profile } = registering;
  const name = (entered?.get('name') ?? '').trim();
  const params = {
    ...{ dn: link.dn.format(), response: entered?.get('response') ?? '', random: link.seed },
    ...(name !== '' && { name }),
  };
  return registerOnce(registering, visit, {
    run: async () => {
      const id = freeDeviceSlot(readDevices(profile.data));
      if (id === undefined) throw new ServiceError('invalid_params', { detail: words.enough });
      return calls.run({ does: 'registers', of: 'FIDO2' }, { ...params, id });
    },
    done: () => donePage(words, { title: words.registerTitle, text: words.deviceDone }),
    refused: (alert) => touchPage(registering, visit, alert),
  });
}
