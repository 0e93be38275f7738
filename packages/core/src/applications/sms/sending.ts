/** Sends the messages of an account: validated as a whole, written into the outbox in one step, and logged. */

import { assertSource, type Caller } from '../../administration/policy/caller.ts';
import { callerKey } from '../../administration/policy/callers.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { type RecordingPorts, recordEvent } from '../../events/recorded.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { partsOf } from '../../foundation/text/messages/sms-parts.ts';
import { waitOut } from '../../limits/refusal-answer.ts';
import { sourceOf } from '../../limits/source.ts';
import type { Outbox } from '../../messaging/outbox.ts';
import { isSenderName, numberOf } from '../../messaging/recipient.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Names } from '../../table/dialect.ts';
import type { ServingApplication } from '../../table/known-application.ts';
import type { Transaction } from '../../table/method.ts';
import { type AccountsView, accountOf } from './accounts.ts';

export interface SmsRequest {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly mobile?: readonly string[] | undefined;
  readonly text?: string | undefined;
  /** `Normal` or `Flash`. */
  readonly type?: string | undefined;
  readonly sender?: string | undefined;
  /** Seconds that it is of use. */
  readonly timeout?: number | undefined;
  readonly client?: string | undefined;
  readonly source?: string | undefined;
}

/** The context of sending for an account. */
export interface SmsCall extends AccountsView, RecordingPorts {
  readonly config: Pick<ServiceConfig, 'sms_accounts' | 'api_keys' | 'messages' | 'limits'>;
  readonly outbox: Pick<Outbox, 'send' | 'state'>;
  readonly clock: Clock;
  readonly caller: Caller;
  readonly names: Names;
  readonly application: ServingApplication;
  readonly transaction: Transaction;
}

const mostRecipients = 100;
/** A text is split into as many SMS. */
const mostParts = 10;

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/**
 * False: it is no account's.
 * @throws ServiceError `invalid_source` where `source` is no address; `invalid_params` naming the field; `too_large` where a
 *   budget is used up; `unavailable` where there is no gateway, or messages wait for one that is down
 */
export async function sendForAccount(request: SmsRequest, call: SmsCall): Promise<boolean> {
  const begun = call.clock.now();
  const { source, client } = request;
  assertSource(source);
  const message = read(request, call);
  const { caller, application } = call;
  const { address, trusted = false } = caller;
  const place = sourceOf({ key: callerKey(caller), address, trusted }, source);
  const { username, password } = request;
  const account = await accountOf(
    { username, password },
    { caller, place, service: application.service },
    call,
  );
  const whom = message.numbers.length === 1 ? message.numbers[0] : `${message.numbers.length} numbers`;
  const where = client === undefined ? '' : ` at ${JSON.stringify(client.slice(0, 128))}`;
  if (account === undefined) {
    await record(
      `SMS to ${whom}${where}: refused: wrong account`,
      { user: place.words, outcome: 'refused' },
      call,
    );
    await waitOut(begun, call.config.limits.login_failure_delay_ms, call.clock);
    return false;
  }
  assertUp(call);
  await post(message, `account:${account}`, call);
  await record(
    `SMS to ${whom}${where}: taken over from the account ${JSON.stringify(account)}, ${message.parts} parts each`,
    { user: account, outcome: 'done' },
    call,
  );
  return true;
}

interface ReadMessage {
  readonly numbers: readonly string[];
  readonly text: string;
  readonly parts: number;
  readonly isFlash: boolean;
  readonly sender: string | undefined;
  readonly ends: number | undefined;
}

function read(
  { mobile = [], text, type = 'Normal', sender, timeout }: SmsRequest,
  call: SmsCall,
): ReadMessage {
  if (mobile.length === 0 || mobile.length > mostRecipients)
    throw wrong(`Parameter mobile is not 1 to ${mostRecipients} numbers`);
  const numbers = mobile.map((one) => {
    const number = numberOf(one, call.config.messages.sms);
    if (number === undefined) throw wrong('Parameter mobile has a number that SMS are not sent to');
    return number;
  });
  const { parts } = partsOf(text ?? '');
  if (text === undefined || parts > mostParts)
    throw wrong(`Parameter text is not a text of 1 to ${mostParts} SMS`);
  if (!/^(?:normal|flash)$/i.test(type)) throw wrong('Parameter type is not Normal or Flash');
  if (sender !== undefined && !isSenderName(sender))
    throw wrong('Parameter sender is neither a phone number nor 1 to 11 letters and digits');
  const ends = timeout === undefined ? undefined : call.clock.now() + Math.max(1, timeout) * 1000;
  return { numbers: [...new Set(numbers)], text, parts, isFlash: /^flash$/i.test(type), sender, ends };
}

/** Asserts that the gateway is up. Messages that wait already go out once it is. @throws ServiceError `unavailable` */
function assertUp({ outbox }: SmsCall): void {
  const state = outbox.state('sms');
  if (!state || (!state.isUp && state.waiting > 0))
    throw new ServiceError('unavailable', { detail: 'the SMS gateway is down' });
}

const post = (
  { numbers, text, isFlash, sender, ends }: ReadMessage,
  client: string,
  { outbox, names, application, transaction }: SmsCall,
): Promise<void> =>
  outbox.send(
    numbers.map((to) => ({
      message: { way: 'sms', content: { to, text, sender, isFlash } },
      sending: { application: names.theirs(application.name), transaction },
      spender: { client },
      ends,
    })),
  );

const record = (
  text: string,
  facts: { readonly user: string; readonly outcome: string },
  call: SmsCall,
): Promise<void> =>
  recordEvent({ application: call.names.theirs(call.application.name), text, facts }, call.transaction, call);
