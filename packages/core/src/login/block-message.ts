/** Tells a user by mail that failures have begun to refuse the user (`BlockNotify`). */
import { ServiceError } from '../errors/errors.ts';
import type { Happening } from '../limits/kept/events.ts';
import { textFor } from '../sending/texts/texts.ts';
import { read } from '../table/setting.ts';
import { formatTime } from '../text/moment.ts';
import { languageOf } from './account/reach.ts';
import type { LoginAttempt } from './attempt/evidence.ts';
import { loginSettings } from './settings.ts';
import type { LoginCall } from './view.ts';

/** A mail that cannot be kept is in the log: the login is answered all the same. */
export async function tellBlock(
  { found, visit }: LoginAttempt,
  happened: readonly Happening[],
  call: LoginCall,
): Promise<void> {
  const { account } = found;
  const refusal = happened.find((one) => one.kind === 'refusal');
  const to = account?.reach.MAIL;
  if (!account || !refusal || to === undefined || !read(account.settings, loginSettings.BlockNotify)) return;
  const { texts: own, default_language: otherwise } = call.config;
  const wording = { preferred: languageOf(account.entry, call), own, otherwise };
  const variables = {
    user: visit.named.name,
    domain: account.domain.name,
    until: refusal.until === undefined ? '…' : formatTime(refusal.until),
  };
  const [subject, text] = [
    textFor('block_mail_subject', variables, wording),
    textFor('block_mail', variables, wording),
  ];
  const letter = {
    message: { way: 'mail', content: { to, subject, text, attachments: [] } },
    sending: {
      application: call.names.theirs(call.application.name),
      dn: account.dn.format(),
      transaction: call.transaction,
    },
    // Strangers bring it about.
    spender: { user: account.id, client: 'blocks', isAlone: true },
  } as const;
  try {
    await call.outbox.post([letter]);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    call.log.warn('a user could not be told of a block', { transaction: call.transaction.id, error });
  }
}
