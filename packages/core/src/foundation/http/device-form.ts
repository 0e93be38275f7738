/** The form for a security key or passkey: the only part of a sign-in page that needs a script. */
import { escapeHtml, hiddenField } from './page.ts';

/** Writes the fields of the form. @param challenge the JSON of the field `u2fChallenge`, which the device signs */
export const deviceField = (
  challenge: string,
  words: { readonly device: string; readonly wantsScript: string },
): string =>
  `${hiddenField('device', challenge)}
<input type="hidden" name="u2fResponse" value="">
<noscript><p>${escapeHtml(words.wantsScript)}</p></noscript>
<button type="button" id="touch">${escapeHtml(words.device)}</button>`;

/** The script of the form: the device signs, and the form submits the signature (docs/guide/security-keys.md). */
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
