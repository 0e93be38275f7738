/** Mails that tell a user of the account: in the language of the entry, as far as budgets go. */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Spender } from '../messaging/budget.ts';
import { channelsOf, languageOf } from '../messaging/contact-channels.ts';
import { textFor } from '../messaging/texts/texts.ts';
import type { TextName } from '../table/message-texts.ts';
import type { Account } from './account.ts';
import type { LoginCall } from './view.ts';

export interface Notice {
  readonly subject: TextName;
  readonly text: TextName;
  readonly variables: Readonly<Record<string, string>>;
  readonly spender: Omit<Spender, 'user'>;
}

/** A mail that cannot be kept is in the log: the login is answered all the same. Who has no address is told nothing. */
export async function notify(account: Account, notice: Notice, call: LoginCall): Promise<void> {
  const { MAIL: to } = channelsOf(account.entry, call);
  if (to === undefined) return;
  const { texts: own, default_language: otherwise } = call.config;
  const wording = { preferred: languageOf(account.entry, call), own, otherwise };
  const [subject, text] = [notice.subject, notice.text].map((name) =>
    textFor(name, notice.variables, wording),
  );
  const letter = {
    message: { way: 'mail', content: { to, subject: subject ?? '', text: text ?? '', attachments: [] } },
    sending: {
      application: call.names.theirs(call.application.name),
      dn: account.dn.format(),
      transaction: call.transaction,
    },
    spender: { user: account.id, ...notice.spender },
  } as const;
  try {
    await call.outbox.post([letter]);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    call.log.warn('a user could not be told by mail', {
      transaction: call.transaction.id,
      about: notice.text,
      error,
    });
  }
}
