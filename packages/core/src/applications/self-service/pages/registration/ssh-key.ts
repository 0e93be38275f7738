/** Registration of an SSH key by a link: a key of the user, or a generated one that is shown once. */
import type { WebResponse } from '../../../../foundation/http/http.ts';
import { escapeHtml } from '../../../../foundation/http/page.ts';
import { madeKeyType } from '../../registrable-types.ts';
import { selfregSettings } from '../../settings.ts';
import { type Alert, button, donePage, form, paragraph, preformatted } from '../html.ts';
import type { PageVisit } from '../visit.ts';
import { type Registering, registerOnce, registrationPage } from './once.ts';

export const keyPage = (registering: Registering, visit: PageVisit): WebResponse =>
  pastePage(registering, visit);

function pastePage(registering: Registering, visit: PageVisit, alert?: Alert): WebResponse {
  const { words, token } = visit;
  const area = `<label for="pubkey">${escapeHtml(words.publicKey)}</label>
<textarea id="pubkey" name="pubkey" required maxlength="16384" spellcheck="false" autofocus></textarea>\n`;
  return registrationPage(registering, visit, {
    alert,
    main:
      paragraph(words.sshHint) +
      form({ token }, area + button(words.keepKey)) +
      paragraph(words.sshMake) +
      form({ token, make: 'yes' }, button(words.makeKey)),
  });
}

export function registerKey(registering: Registering, visit: PageVisit): Promise<WebResponse> {
  const { words, form: entered } = visit;
  const { link, calls, profile } = registering;
  const dn = link.dn.format();
  const isMade = entered?.get('make') === 'yes';
  const title = words.registerTitle;
  return registerOnce(registering, visit, {
    run: () =>
      isMade
        ? calls.run(
            { does: 'makes', of: 'SSHKEY' },
            { dn, type: madeKeyType(profile.settings, selfregSettings.AllowSSHKeyTypes) },
          )
        : calls.run({ does: 'registers', of: 'SSHKEY' }, { dn, pubkey: entered?.get('pubkey') ?? '' }),
    done: (made) =>
      isMade
        ? donePage(words, { title, text: words.keyMade, more: preformatted(String(made)) })
        : donePage(words, { title, text: words.keyDone }),
    refused: (alert) => pastePage(registering, visit, alert),
  });
}
