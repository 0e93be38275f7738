/**
 * A login or signature by scanning a QR code. The session has no user until a phone has answered with the secret of a soft token and the
 * name of its user. Then the user logs in under the policy of the system that began the session.
 */
import { hash } from 'node:crypto';
import { assertSource } from '../../administration/policy/caller.ts';
import { callerKey } from '../../administration/policy/callers.ts';
import { modeSettings } from '../../administration/policy/login-mode.ts';
import { writeStep } from '../../events/recorded-step.ts';
import { noSession, ServiceError } from '../../foundation/errors/errors.ts';
import { userKey } from '../../limits/source.ts';
import type { Account } from '../../login/account.ts';
import { nameOf } from '../../login/account.ts';
import { findAccount, findAccountAgain } from '../../login/account-lookup.ts';
import { type AttemptInSession, attemptFor } from '../../login/attempt.ts';
import { type LoginContext, readContext } from '../../login/context.ts';
import type { AccountName, LoginRequest } from '../../login/request.ts';
import { randomSession, randomText } from '../../ports/random.ts';
import { read } from '../../table/setting.ts';
import { envelopeOverhead, isEnvelope, mostEnclosed } from '../phone/envelope.ts';
import { decideTransaction, secondsLeft, takeTry } from '../phone/outcome.ts';
import { isTypedProof, type Question, shownOf } from '../phone/protocol.ts';
import { answering } from '../phone/push.ts';
import { phoneSettings } from '../phone/settings.ts';
import { signedFile } from '../phone/signature.ts';
import {
  entryOf,
  findTransaction,
  isPending,
  keepTransaction,
  type PhoneTransaction,
  type TransactionCall,
  type TransactionState,
  transactionKey,
} from '../phone/transaction.ts';

export interface WantedQrSession extends Pick<LoginRequest, 'client' | 'source' | 'settings' | 'options'> {
  readonly operation?: string | undefined;
  readonly inputText?: string | undefined;
  readonly inputData?: Uint8Array | undefined;
}

/** Characters of the text. */
const mostText = 16_384;

const kinds: ReadonlyMap<string, Question['kind']> = new Map([
  ['', 'login'],
  ['auth', 'login'],
  ['sign', 'sign'],
  ['decrypt', 'decrypt'],
]);

/** @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address */
export async function beginQrSession(
  { operation = '', inputText = '', inputData, ...request }: WantedQrSession,
  call: TransactionCall,
): Promise<PhoneTransaction> {
  const kind = kinds.get(operation.toLowerCase());
  if (!kind) throw wrong('Parameter operation is none of auth, sign and decrypt');
  if (inputText.length > mostText || (inputData?.length ?? 0) > mostEnclosed + envelopeOverhead)
    throw wrong('Parameter inputText or inputData is too long');
  if (kind === 'sign' && !inputData && inputText === '') throw wrong('Nothing is there to be signed');
  if (kind === 'decrypt' && !(inputData && isEnvelope(inputData)))
    throw wrong('Parameter inputData is nothing that was encrypted here');
  assertSource(request.source);
  const now = call.clock.now();
  const client = request.client ?? call.caller.address;
  const file = kind === 'sign' ? (inputData ?? Buffer.from(inputText)) : inputData;
  const session = randomSession(call.random);
  const state: TransactionState = {
    ...{
      session,
      kind,
      request,
      caller: callerKey(call.caller),
      wrong: 0,
      client,
      issuer: client,
      data: inputText,
    },
    ...{ source: call.caller.trusted ? request.source : undefined },
    ...{ begun: now, ends: now + read(call.presets, phoneSettings.MobileTimeout) * 1000 },
    challenge: randomText(call.random, { length: 32, alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789' }),
    ...(file && {
      signedAs: 'enveloping' as const,
      file: Buffer.from(file).toString('base64'),
      fileDigest: hash('sha256', file),
    }),
  };
  const transaction = { key: transactionKey(session), session, state };
  await keepTransaction(transaction, call);
  return transaction;
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

/** Either kind. @throws ServiceError `invalid_params`, `not_found` */
export async function findQrSession(
  session: string | undefined,
  call: TransactionCall,
): Promise<PhoneTransaction> {
  const found = await findTransaction(session, undefined, call);
  if (found.state.request === undefined) throw noSession();
  return found;
}

/** The state of a session. */
export type QrStanding =
  | { readonly kind: 'pending'; readonly timeout: number }
  | { readonly kind: 'refused' }
  | QrAnswered;

/** Somebody has answered, and may log in from there. */
export interface QrAnswered {
  readonly kind: 'answered';
  /** The attempt to be judged first; undefined: the phone is enough. */
  readonly attempt: AttemptInSession | undefined;
  /**
   * Lets the user in: of all who ask, one.
   * @throws ServiceError `not_found` for all but the first
   */
  enter(): Promise<QrLogin>;
}

export interface QrLogin extends AccountName {
  /** The signed file, or what the phone has opened, in base64; empty where it is a login. */
  readonly data: string;
}

/**
 * Tells whether somebody has answered. Where the login mode of the user wants the password too, `password` is to be judged; a wrong one
 * leaves the session as it is.
 * @throws ServiceError `not_found` where it is over; `unavailable`
 */
export async function checkQrSession(
  { session, password }: { readonly session: string | undefined; readonly password: string | undefined },
  call: TransactionCall,
): Promise<QrStanding> {
  const transaction = await findQrSession(session, call);
  const { state } = transaction;
  const now = call.clock.now();
  if (isPending(state, now)) return { kind: 'pending', timeout: secondsLeft(state, now) };
  if (state.verdict === 'refused') return { kind: 'refused' };
  if (state.verdict !== 'confirmed' || !state.owner) throw noSession();
  const entering = await enteringAs(state.owner, transaction, call);
  const besides = entering && besidesPhone(entering);
  if (!entering || !besides || (besides === 'password' && password === undefined)) return { kind: 'refused' };
  return {
    kind: 'answered',
    attempt: besides === 'password' ? attemptFor(entering, { password, mode: 'LDAP' }, call) : undefined,
    enter: async () => {
      const data = await dataOf(transaction, call);
      await useUp(transaction, call);
      return { data, ...nameOf(entering.account) };
    },
  };
}

interface Entering {
  readonly account: Account;
  readonly loginContext: LoginContext;
}

/** Undefined: the user may not log in from there, or has gone. */
async function enteringAs(
  { dn, id, name }: NonNullable<TransactionState['owner']>,
  { state }: PhoneTransaction,
  call: TransactionCall,
): Promise<Entering | undefined> {
  const loginContext = readContext({ ...state.request, username: name.username, domain: name.domain }, call);
  const { account } = await findAccountAgain(dn, loginContext, call);
  const { block } = await call.limits.look(userKey(dn), 'web');
  return account?.id === id && !block ? { account, loginContext } : undefined;
}

/**
 * Returns what the login mode wants besides the phone, which counts as a code.
 * @returns undefined: a FIDO2 device, for which a phone is no substitute
 */
function besidesPhone({ account }: Entering): 'nothing' | 'password' | undefined {
  switch (read(account.settings, modeSettings.LoginMode)) {
    case 'LDAPU2F':
      return undefined;
    case 'OTP':
      return account.clientMode === 'step_up' ? 'password' : 'nothing';
    default:
      return 'password';
  }
}

const dataOf = async (transaction: PhoneTransaction, call: TransactionCall): Promise<string> => {
  if (transaction.state.kind === 'decrypt') return transaction.state.opened ?? '';
  const signed = transaction.state.kind === 'sign' ? await signedFile(transaction, call) : undefined;
  return signed ? Buffer.from(signed.file).toString('base64') : '';
};

/** @throws ServiceError `not_found` for all but the first */
async function useUp({ key, state }: PhoneTransaction, call: TransactionCall): Promise<void> {
  const isFirst = await writeStep(
    [key],
    entryOf(state, call),
    (found) =>
      found.value(key)
        ? { result: true, values: new Map([[key, null]]), texts: ['granted'] }
        : { result: false, values: new Map(), texts: [] },
    call,
  );
  if (!isFirst) throw noSession();
}

export interface TypedQrAnswer {
  readonly username?: string | undefined;
  readonly domain?: string | undefined;
  readonly session?: string | undefined;
  readonly ldapPassword?: string | undefined;
  /** Eight digits that a phone without a network shows. */
  readonly qrauthPassword?: string | undefined;
}

/** @throws ServiceError as {@link checkQrSession} */
export async function answerQrTyped(
  { session, ldapPassword: password, qrauthPassword = '', ...who }: TypedQrAnswer,
  call: TransactionCall,
): Promise<QrStanding> {
  const transaction = await findQrSession(session, call);
  if (transaction.state.kind === 'decrypt') throw wrong('A phone without a network opens nothing');
  if (!(await takeTry(transaction, call))) throw noSession();
  const loginContext = readContext({ ...transaction.state.request, ...who }, call);
  const { account } = await findAccount(loginContext, call);
  const tokens = account ? answering(account, call.clock.now()) : [];
  const shown = shownOf(transaction);
  if (!account || !tokens.some(({ secret }) => isTypedProof(qrauthPassword, shown, secret)))
    return { kind: 'refused' };
  const owner = { dn: account.dn, id: account.id, name: nameOf(account) };
  const decision = { verdict: 'confirmed', auditText: 'confirmed, typed', owner } as const;
  if (!(await decideTransaction(transaction, decision, call))) throw noSession();
  return checkQrSession({ session, password }, call);
}

/** @throws ServiceError `not_found` where it is answered, or over */
export async function cancelQrSession(session: string | undefined, call: TransactionCall): Promise<void> {
  const transaction = await findQrSession(session, call);
  if (!(await decideTransaction(transaction, { verdict: 'canceled', auditText: 'canceled' }, call)))
    throw noSession();
}
