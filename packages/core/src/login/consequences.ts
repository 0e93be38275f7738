/**
 * Consequences of a login after its commit. On the entry: the drift of a token, and a disabled token. Mails: about a lockout that begins
 * (`BlockNotify`), and a token that expires soon (`ExpireNotify`). Events: a caller that passes on too many failures.
 */

import { hash } from 'node:crypto';
import { noteDrift } from '../authenticators/code-claim.ts';
import { disableToken } from '../authenticators/disabled-token.ts';
import { recordEvent } from '../events/recorded.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { formatTimestamp } from '../foundation/text/timestamp.ts';
import type { LimitEvent } from '../limits/limit-events.ts';
import type { CommitResult } from '../limits/limits-attempt.ts';
import type { Spender } from '../messaging/budget.ts';
import { channelsOf, languageOf } from '../messaging/contact-channels.ts';
import { textFor } from '../messaging/texts/texts.ts';
import type { TextName } from '../table/message-texts.ts';
import { read } from '../table/setting.ts';
import { type Account, nameOf } from './account.ts';
import { limitEntries } from './audit.ts';
import type { LoginAttempt } from './credentials.ts';
import { loginSettings } from './settings.ts';
import type { Verdict } from './verdict.ts';
import type { LoginCall } from './view.ts';

/** The consequences of a grant. @returns undefined: there are none, which costs no wait */
export function afterGrant(verdict: Verdict, call: LoginCall): Promise<unknown> | undefined {
  if (verdict.kind !== 'right' || !verdict.code) return undefined;
  const noting = noteDrift(verdict.code, verdict.account, call);
  const all = noting ? noting.then(() => notifyExpiry(verdict, call)) : notifyExpiry(verdict, call);
  return all && loggingErrors(all, call);
}

/** The consequences of events of the limits. */
export const afterLimitEvents = (
  events: Pick<CommitResult, 'happened' | 'unrecorded'>,
  attempt: LoginAttempt,
  call: LoginCall,
): Promise<void> => loggingErrors(runAfterLimitEvents(events, attempt, call), call);

/** The login is durable before its consequences: an error of theirs is logged, and changes no answer. */
async function loggingErrors(consequences: Promise<unknown>, { log, transaction }: LoginCall): Promise<void> {
  try {
    await consequences;
  } catch (error) {
    log.error('a consequence of a login failed', { transaction: transaction.id, error });
  }
}

async function runAfterLimitEvents(
  { happened, unrecorded }: Pick<CommitResult, 'happened' | 'unrecorded'>,
  attempt: LoginAttempt,
  call: LoginCall,
): Promise<void> {
  const { account } = attempt.found;
  for (const one of happened)
    if (one.kind === 'token_disabled' && account) await disableToken(account, one.key, call);
  await notifyLockout(attempt, happened, call);
  for (const entry of limitEntries(attempt, unrecorded, call))
    await recordEvent(entry, call.transaction, call);
}

/** Notifies a user that failures have begun a lockout. */
async function notifyLockout(
  { found: { account }, loginContext }: LoginAttempt,
  happened: readonly LimitEvent[],
  call: LoginCall,
): Promise<void> {
  const lockout = happened.find((one) => one.kind === 'lockout');
  if (!account || !lockout || !read(account.settings, loginSettings.BlockNotify)) return;
  const variables = {
    user: loginContext.named.name,
    domain: account.domain.name,
    until: lockout.until === undefined ? '…' : formatTimestamp(lockout.until),
  };
  // Unknown callers bring it about.
  const spender = { client: 'blocks', isAlone: true };
  await notify(account, { subject: 'block_mail_subject', text: 'block_mail', variables, spender }, call);
}

/** Milliseconds before its end in which a token expires soon. */
const beforeEnd = 14 * 86_400_000;
/** Seconds in which a user is notified of a token once. */
const pause = 7 * 86_400;

/** Notifies a user of the token that has just logged in. @returns undefined: nothing is sent, which costs no wait */
function notifyExpiry(verdict: Verdict, call: LoginCall): Promise<void> | undefined {
  if (verdict.kind !== 'right' || verdict.code?.of.kind !== 'TOKEN') return undefined;
  const { account, code } = verdict;
  const { expires } = verdict.code.of.token;
  const isSoon = expires !== undefined && expires - call.clock.now() < beforeEnd;
  if (!isSoon || !read(account.settings, loginSettings.ExpireNotify)) return undefined;
  return notifyOnce(account, { key: code.of.key, expires }, call);
}

async function notifyOnce(
  account: Account,
  { key, expires }: { readonly key: string; readonly expires: number },
  call: LoginCall,
): Promise<void> {
  const notified = { before: undefined, after: Buffer.of(1), seconds: pause };
  if (!(await call.store.swap(`expiry-told:${hash('sha256', key)}`, notified))) return;
  const { username: user, domain } = nameOf(account);
  const variables = { user, domain, until: formatTimestamp(expires) };
  const spender = { client: 'expiries' };
  await notify(account, { subject: 'expiry_mail_subject', text: 'expiry_mail', variables, spender }, call);
}

interface Notice {
  readonly subject: TextName;
  readonly text: TextName;
  readonly variables: Readonly<Record<string, string>>;
  readonly spender: Omit<Spender, 'user'>;
}

/** Posts a mail in the language of the entry, within the budgets. One that cannot be kept is logged: the login is answered all the same. */
async function notify(account: Account, notice: Notice, call: LoginCall): Promise<void> {
  const { MAIL: to } = channelsOf(account.entry, call);
  if (to === undefined) return;
  const { texts: own, default_language: otherwise } = call.config;
  const wording = { preferred: languageOf(account.entry, call), own, otherwise };
  const [subject, text] = [notice.subject, notice.text].map((name) =>
    textFor(name, notice.variables, wording),
  );
  const message = {
    message: { way: 'mail', content: { to, subject: subject ?? '', text: text ?? '', attachments: [] } },
    sending: {
      application: call.names.theirs(call.application.name),
      dn: account.dn.format(),
      transaction: call.transaction,
    },
    spender: { user: account.id, ...notice.spender },
  } as const;
  try {
    await call.outbox.send([message]);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    call.log.warn('a user could not be notified by mail', {
      transaction: call.transaction.id,
      about: notice.text,
      error,
    });
  }
}
