/** A form that a security key or passkey signs: the one part of a sign-in page that needs a script. */
import { escapeHtml, hiddenField } from './page.ts';

/** @param challenge JSON of what the device is to sign: the field `u2fChallenge` */
export const deviceField = (
  challenge: string,
  words: { readonly device: string; readonly wantsScript: string },
): string =>
  `${hiddenField('device', challenge)}
<input type="hidden" name="u2fResponse" value="">
<noscript><p>${escapeHtml(words.wantsScript)}</p></noscript>
<button type="button" id="touch">${escapeHtml(words.device)}</button>`;

/** As docs/guide/security-keys.md has it: the browser asks for the device, and the form takes along what it has signed. */
export const touchScript = `document.getElementById('touch').addEventListener('click', async ({ target: { form } }) => {
const { challenge, rpId, credentialIds } = JSON.parse(form.device.value);
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer ?? [])));
const allowCredentials = credentialIds.map((id) => ({ type: 'public-key', id: bytes(id) }));
const asked = { publicKey: { challenge: bytes(challenge), rpId, allowCredentials } };
const { response } = await navigator.credentials.get(asked);
const { authenticatorData, clientDataJSON, signature, userHandle } = response;
const signed = { authenticatorData, clientDataJSON, signature, userHandle };
form.u2fResponse.value = JSON.stringify(Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, base64(value)])));
form.submit();
});`;
