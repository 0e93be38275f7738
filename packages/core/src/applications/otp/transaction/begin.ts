/** Begins a transaction: a calling system asks a user for a confirmation or signature on the phone. */
import { hash } from 'node:crypto';
import { signatureForm } from '../../../administration/pki/signature-form.ts';
import { callerKey } from '../../../administration/policy/callers.ts';
import type { Token } from '../../../authenticators/token.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Account } from '../../../login/account.ts';
import { nameOf } from '../../../login/account.ts';
import { type ActingUser, findActing } from '../../../login/attempt.ts';
import type { LoginRequest } from '../../../login/request.ts';
import { randomSession, randomText } from '../../../ports/random.ts';
import { read } from '../../../table/setting.ts';
import type { Question } from '../../phone/protocol.ts';
import { answering, pushTo, reachable } from '../../phone/push.ts';
import { phoneSettings } from '../../phone/settings.ts';
import {
  keepTransaction,
  type PhoneTransaction,
  type TransactionCall,
  type TransactionState,
  transactionKey,
} from '../../phone/transaction.ts';
import { assertFile } from './file.ts';

export interface WantedTransaction
  extends Pick<LoginRequest, 'username' | 'domain' | 'client' | 'source' | 'settings'> {
  readonly kind: Question['kind'];
  /** HTML that the user is shown. */
  readonly data?: string | undefined;
  readonly file?: Uint8Array | undefined;
  /** The form of the signature, as callers name it. */
  readonly mode?: string | undefined;
  readonly issuer?: string | undefined;
  /** Seconds in which an answer is taken. Optional; default: by the settings. */
  readonly timeout?: number | undefined;
  /** Whether a push message is sent; else the phone scans a picture. */
  readonly push: 'needed' | 'if possible' | 'none';
}

/** Least and most: characters of the text, characters of the issuer, seconds. */
export const [leastData, mostData] = [11, 16_384];
const longestIssuer = 256;
export const longestTimeout = 30 * 86_400;

/**
 * Undefined: there is no such user, it may not be asked, or has no token that answers; the log has why.
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`
 */
export async function beginTransaction(
  wanted: WantedTransaction,
  call: TransactionCall,
): Promise<PhoneTransaction | undefined> {
  check(wanted);
  const { username, domain, client, source, settings } = wanted;
  const acting = await findActing(
    { username, domain, client, source, settings },
    `no ${wanted.kind} for a user`,
    call,
  );
  return acting && askUser(acting, { ...wanted, signedAs: await formOf(wanted, call) }, call);
}

/** Returns the form of the signature; undefined: there is no file. @throws ServiceError `invalid_params` */
async function formOf({ kind, push, file, ...wanted }: WantedTransaction, call: TransactionCall) {
  if (kind === 'confirm' && !file) return undefined;
  assertFile(file, { isPictured: push === 'none' });
  const form = signatureForm(file, wanted);
  await call.authority.assertSignable(file, form);
  return form;
}

/** {@link beginTransaction}, where the user is known, and what is asked is checked. */
export async function askUser(
  { account, loginContext }: ActingUser,
  wanted: WantedTransaction & Pick<TransactionState, 'badging' | 'signedAs'>,
  call: TransactionCall,
): Promise<PhoneTransaction | undefined> {
  const { kind, data = '', file, signedAs, push, issuer, timeout, badging } = wanted;
  const tokens = answering(account, call.clock.now());
  const to = push === 'none' ? undefined : reachable(tokens, call);
  const why = whyNot(account, { tokens, isLost: push === 'needed' && !to });
  if (why !== undefined) {
    const { id: transaction, client } = call.transaction;
    call.log.info(`no ${kind} for a user`, { transaction, client, why });
    return undefined;
  }
  const seconds = timeout ?? read(account.settings, phoneSettings.MobileTimeout);
  const now = call.clock.now();
  const client = wanted.client ?? call.caller.address;
  const session = randomSession(call.random);
  const state: TransactionState = {
    session,
    owner: { dn: account.dn, id: account.id, name: nameOf(account) },
    ...{ kind, caller: callerKey(call.caller) },
    ...{ source: loginContext.reportedAddress, begun: now, ends: now + seconds * 1000, wrong: 0 },
    challenge: randomText(call.random, { length: 32, alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789' }),
    ...{ issuer: issuer ?? client, client, data },
    ...(badging && { badging }),
    ...(file && { signedAs, file: Buffer.from(file).toString('base64'), fileDigest: hash('sha256', file) }),
  };
  const transaction = { key: transactionKey(session), session, state };
  await keepTransaction(transaction, call);
  if (to) await pushTo(to, { transaction, account }, call);
  return transaction;
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

function check({ data, file, ...terms }: WantedTransaction): void {
  if (!data && !file) throw wrong('Neither data nor file is there');
  if (data && (data.length < leastData || data.length > mostData))
    throw wrong(`Parameter data is not ${leastData} to ${mostData} characters`);
  assertTerms(terms);
}

/** @throws ServiceError `invalid_params` */
export function assertTerms({ issuer = '', timeout }: Pick<WantedTransaction, 'issuer' | 'timeout'>): void {
  if (issuer.length > longestIssuer || /\p{Cc}/u.test(issuer))
    throw wrong(`Parameter issuer is not a text of up to ${longestIssuer} characters`);
  if (timeout !== undefined && (timeout < 1 || timeout > longestTimeout))
    throw wrong(`Parameter timeout is not 1 to ${longestTimeout} seconds`);
}

function whyNot(
  { settings }: Account,
  { tokens, isLost }: { readonly tokens: readonly Token[]; readonly isLost: boolean },
): string | undefined {
  if (!read(settings, phoneSettings.EnableConfirm)) return 'the settings of the user do not allow it';
  if (tokens.length === 0) return 'the user has no soft token';
  return isLost ? 'no device of the user is reached by push' : undefined;
}
