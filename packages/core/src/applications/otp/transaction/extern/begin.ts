/** Begins a transaction with a person outside of the directory, who is asked by mail to confirm or to sign a file. */
import { hash } from 'node:crypto';
import { signatureForm } from '../../../../administration/pki/signature-form.ts';
import { assertSource } from '../../../../administration/policy/caller.ts';
import { callerKey } from '../../../../administration/policy/callers.ts';
import { notConfigured, ServiceError } from '../../../../foundation/errors/errors.ts';
import { isMailAddress } from '../../../../foundation/text/messages/mail-address.ts';
import { formatTimestamp } from '../../../../foundation/text/timestamp.ts';
import { textFor } from '../../../../messaging/texts/texts.ts';
import { randomSession, randomText } from '../../../../ports/random.ts';
import { read } from '../../../../table/setting.ts';
import type { Question } from '../../../phone/protocol.ts';
import { phoneSettings } from '../../../phone/settings.ts';
import {
  keepTransaction,
  type PhoneTransaction,
  type TransactionCall,
  type TransactionState,
  transactionKey,
} from '../../../phone/transaction.ts';
import { assertTerms } from '../begin.ts';
import { assertFile, assertFormSettings } from '../file.ts';
import { linkKey, linkLength, linkValue } from './link.ts';

export interface WantedExtern {
  readonly kind: Extract<Question['kind'], 'confirm' | 'sign'>;
  /** A mail address. */
  readonly recipient?: string | undefined;
  readonly file?: Uint8Array | undefined;
  readonly mode?: string | undefined;
  /** Seconds in which an answer is taken. Optional; default: a day. */
  readonly timeout?: number | undefined;
  readonly issuer?: string | undefined;
  readonly client?: string | undefined;
  readonly source?: string | undefined;
  readonly settings?: string | undefined;
}

export type ExternCall = TransactionCall & { readonly config: { readonly ws_url: string } };

/** The preset timeout in seconds. */
const usualTimeout = 86_400;

/**
 * Undefined: the policy of the client does not allow it; the log has why.
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`, also without a mail gateway;
 *   `too_large` where a budget of mails is used up
 */
export async function beginExtern(
  { file, ...wanted }: WantedExtern,
  call: ExternCall,
): Promise<PhoneTransaction | undefined> {
  const { recipient = '', settings, source, timeout = usualTimeout } = wanted;
  if (!isMailAddress(recipient))
    throw new ServiceError('invalid_params', { detail: 'Parameter recipient is not a mail address' });
  assertSource(source);
  assertFile(file);
  assertTerms(wanted);
  const signedAs = signatureForm(file, wanted);
  assertFormSettings(settings);
  await call.authority.assertSignable(file, signedAs);
  const client = await openClient(wanted, call);
  if (client === undefined) return undefined;
  const now = call.clock.now();
  const session = randomSession(call.random);
  const state: TransactionState = {
    ...{ session, kind: wanted.kind, recipient, caller: callerKey(call.caller), wrong: 0, signedAs },
    ...{ source: call.caller.trusted ? source : undefined, begun: now, ends: now + timeout * 1000 },
    ...{ challenge: '', issuer: wanted.issuer ?? client, client, data: '' },
    ...{ file: Buffer.from(file).toString('base64'), fileDigest: hash('sha256', file) },
  };
  const transaction = { key: transactionKey(session), session, state };
  await keepAndSend(transaction, recipient, call);
  return transaction;
}

/** The name of the client; undefined: its policy is closed, or nobody may be asked. */
async function openClient(
  { client, source }: Pick<WantedExtern, 'client' | 'source'>,
  call: ExternCall,
): Promise<string | undefined> {
  const policy = call.clients.find(call.caller, client);
  const whereabouts = { groups: [], address: source ?? call.caller.address, isElsewhere: false };
  const under = await policy.apply(call.presets, whereabouts);
  if (under.mode !== 'no_access' && read(under.settings, phoneSettings.EnableConfirm)) return policy.name;
  const { id: transaction, client: address } = call.transaction;
  call.log.info('nobody outside is asked', {
    transaction,
    client: address,
    why: `the policy of ${policy.name}`,
  });
  return undefined;
}

/** The mail is ready before anything is kept, and goes on its way after: what cannot be sent is not begun. */
async function keepAndSend(transaction: PhoneTransaction, to: string, call: ExternCall): Promise<void> {
  const { session, state } = transaction;
  const link = randomText(call.random, { length: linkLength, alphabet: messages });
  const key = linkKey(link);
  const seconds = Math.max(1, Math.ceil((state.ends - state.begun) / 1000));
  if (!call.outbox.has('mail')) throw notConfigured('no gateway for mail is configured');
  await keepTransaction(transaction, call, new Map([[key, linkValue(key, { session, seconds }, call.keys)]]));
  const variables = {
    ...{ client: state.issuer, until: formatTimestamp(state.ends), digest: state.fileDigest ?? '' },
    link: `${call.config.ws_url}/${call.names.theirs('otp')}/extern?session=${link}`,
  };
  const { texts: own, default_language: otherwise } = call.config;
  const wording = { preferred: undefined, own, otherwise };
  const [subject, text] = [
    textFor('extern_mail_subject', variables, wording),
    textFor('extern_mail', variables, wording),
  ];
  await call.outbox.send([
    {
      message: {
        way: 'mail',
        content: { to, subject: subject.replace(/\p{Cc}+/gu, ' '), text, attachments: [] },
      },
      sending: { application: call.names.theirs(call.application.name), transaction: call.transaction },
      spender: { client: state.caller, isAlone: true },
      ends: state.ends,
    },
  ]);
}

const messages = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
