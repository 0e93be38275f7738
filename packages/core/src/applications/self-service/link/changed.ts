/** Notifies a user by mail that the password was set by a link, so that the user notices a change by another person. */

import { readExisting } from '../../../directory/entry/entry.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import { channelAttributes, channelsOf, languageOf } from '../../../messaging/contact-channels.ts';
import { textFor } from '../../../messaging/texts/texts.ts';
import type { Transaction } from '../../../table/method.ts';
import type { RowView } from '../../context/call.ts';
import type { Link } from './link.ts';

/** Sends the notice. A mail that cannot be stored is logged: the change is made. A user without an address gets none. */
export async function notifyChanged(
  { dn, id, name }: Link,
  { view, transaction }: { readonly view: RowView; readonly transaction: Transaction },
): Promise<void> {
  const { texts: own, default_language: otherwise } = view.config;
  try {
    const entry = await readExisting(view.server.service, dn, channelAttributes(view));
    const { MAIL: to } = channelsOf(entry, view);
    if (to === undefined) return;
    const at = formatTimestamp(view.clock.now());
    const variables = { user: name.username, domain: name.domain, at, until: at };
    const wording = { preferred: languageOf(entry, view), own, otherwise };
    const subject = textFor('changed_mail_subject', variables, wording);
    const text = textFor('changed_mail', variables, wording);
    await view.outbox.send([
      {
        message: { way: 'mail', content: { to, subject, text, attachments: [] } },
        sending: { application: view.names.theirs('PwReset'), dn: dn.format(), transaction },
        spender: { user: id, client: 'resets' },
      },
    ]);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    view.log.warn('a user could not be told by mail', { transaction: transaction.id, error });
  }
}
