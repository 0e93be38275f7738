/** Operations on a running transaction: query, repeat, cancel, and answer with a typed code. */
import type { Badge } from '../../administration/badging/badge.ts';
import { writeStep } from '../../events/recorded-step.ts';
import { noSession } from '../../foundation/errors/errors.ts';
import { drawQrCode, type QrFormat } from '../../foundation/qr/draw.ts';
import { findAccountAgain } from '../../login/account-lookup.ts';
import { readContext } from '../../login/context.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Log } from '../../ports/log/log.ts';
import type { KeyState, Ledger } from '../../ports/store/ledger.ts';
import type { Besides } from './phone-saying.ts';
import { isTypedProof, type Question, shownOf } from './protocol.ts';
import { answering, pushTo, reachable } from './push.ts';
import { signedFile } from './signature.ts';
import {
  entryOf,
  findTransaction,
  isPending,
  type PhoneTransaction,
  readState,
  stateValue,
  type TransactionCall,
  type TransactionDecision,
  type TransactionOwner,
  type TransactionState,
} from './transaction.ts';
import { appUri } from './uri.ts';

/** The state of a transaction. */
export type TransactionStanding =
  | { readonly kind: 'pending'; readonly session: string; readonly timeout: number }
  /** `refused` by the user; `wrong`: the typed response was wrong, and may be typed again. */
  | { readonly kind: 'refused' | 'wrong' }
  | {
      readonly kind: 'confirmed';
      readonly session: string;
      readonly file?: Uint8Array;
      readonly certificate?: Uint8Array;
      /** The badge of a badging. */
      readonly badge?: Badge | undefined;
    };

export interface Named {
  readonly session: string | undefined;
  readonly kind: Question['kind'];
}

/** @throws ServiceError `invalid_params`; `not_found` where it is over, or there is none; `unavailable` */
export const checkTransaction = async (
  { session, kind }: Named,
  call: TransactionCall,
): Promise<TransactionStanding> => standingOf(await findTransaction(session, kind, call), call);

async function standingOf(
  transaction: PhoneTransaction,
  call: TransactionCall,
): Promise<TransactionStanding> {
  const { session, state } = transaction;
  const now = call.clock.now();
  if (isPending(state, now)) return { kind: 'pending', session, timeout: secondsLeft(state, now) };
  if (state.verdict === 'refused') return { kind: 'refused' };
  if (state.verdict !== 'confirmed') throw noSession();
  const badge = state.badging?.badge;
  return { kind: 'confirmed', session, badge, ...(await signedFile(transaction, call)) };
}

export const secondsLeft = ({ ends }: TransactionState, now: number): number =>
  Math.max(1, Math.ceil((ends - now) / 1000));

/** The interval of looking at the store, and the longest wait, in milliseconds. */
const [lookEvery, longestWait] = [500, 120_000];

/** Waits for the end, or as long as one request may. If too many wait, or the caller has disconnected, returns the present state. */
export async function awaitTransaction(
  transaction: PhoneTransaction,
  call: TransactionCall,
): Promise<TransactionStanding> {
  const named = { session: transaction.session, kind: transaction.state.kind };
  if (!call.phoneWaits.begin()) return checkTransaction(named, call);
  try {
    for (let left = longestWait; left > 0 && !call.signal?.aborted; left -= lookEvery) {
      const standing = await checkTransaction(named, call);
      if (standing.kind !== 'pending') return standing;
      await call.clock.sleep(lookEvery);
    }
  } finally {
    call.phoneWaits.end();
  }
  return checkTransaction(named, call);
}

/** @throws ServiceError `not_found` where it is answered, or over */
export async function cancelTransaction({ session, kind }: Named, call: TransactionCall): Promise<void> {
  const transaction = await findTransaction(session, kind, call);
  if (!(await decideTransaction(transaction, { verdict: 'canceled', auditText: 'canceled' }, call)))
    throw noSession();
}

/** A decision, for the event log too. */
export interface PhoneDecision {
  readonly verdict: TransactionDecision;
  readonly auditText: string;
  /** The owner of a transaction that had none before. */
  readonly owner?: TransactionOwner;
  /** Further values of the same step. */
  readonly besides?: Besides | undefined;
}

/** The context of writing a state with its event. */
export type DecidingView = Pick<TransactionCall, 'clock' | 'host' | 'names' | 'operation' | 'transaction'> & {
  readonly store: Pick<Ledger, 'get' | 'commit'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
  readonly log: Pick<Log, 'info'>;
  readonly application: { readonly name: string };
};

/** Decides once. @returns false if there was a decision before, or the time is over */
export function decideTransaction(
  { key, state }: PhoneTransaction,
  { verdict, auditText, owner, besides }: PhoneDecision,
  call: DecidingView,
): Promise<boolean> {
  const values = besides?.values ?? new Map();
  return writeStep(
    [key, ...values.keys()],
    entryOf({ ...state, ...(owner && { owner }) }, call),
    (found) => {
      const before = stateIn(found, key, call);
      if (!before || !isPending(before, call.clock.now()))
        return { result: false, values: new Map(), texts: [] };
      const value = stateValue(
        key,
        { ...before, verdict, ...(owner && { owner }), ...besides?.state },
        { keys: call.keys, now: call.clock.now() },
      );
      return { result: true, values: new Map([[key, value], ...values]), texts: [auditText] };
    },
    call,
  );
}

function stateIn(found: KeyState, key: string, { keys }: DecidingView): TransactionState | undefined {
  const value = found.value(key);
  return value && readState(key, value, keys);
}

export interface Picture {
  readonly qrFormat?: string | undefined;
  readonly qrSizing?: number | undefined;
  readonly qrMargin?: number | undefined;
}

export interface Shot {
  readonly session: string;
  readonly timeout: number;
  readonly uri: string;
  /** Undefined: none was wanted. */
  readonly image?: Uint8Array;
}

/** The URI of one that waits, and its picture. @throws ServiceError `not_found` */
export async function pictureOf(
  transaction: PhoneTransaction,
  wanted: Picture,
  call: TransactionCall,
): Promise<Shot> {
  const { session, state } = transaction;
  const now = call.clock.now();
  if (!isPending(state, now) || state.recipient !== undefined) throw noSession();
  const account = await accountOf(transaction, call);
  if (state.owner && !account) throw noSession();
  const token = account && answering(account, now)[0];
  const uri = appUri(transaction, { token, now, scheme: call.config.app_scheme });
  const image = await draw(uri, wanted);
  return { session, timeout: secondsLeft(state, now), uri, ...(image && { image }) };
}

/** A GIF where nothing is said. Sizes and margins beyond ours are the nearest of ours. */
function draw(
  uri: string,
  { qrFormat = 'GIF', qrSizing, qrMargin }: Picture,
): Promise<Uint8Array> | undefined {
  const format = formats.find((one) => one === qrFormat.toUpperCase());
  if (!format) return undefined;
  const size = qrSizing === undefined ? undefined : Math.min(Math.max(qrSizing, 1), 10);
  const margin = qrMargin === undefined ? undefined : Math.min(qrMargin, 5);
  return drawQrCode(uri, { format, size, margin });
}

const formats: readonly QrFormat[] = ['GIF', 'PNG', 'JPG', 'TXT'];

/** The user as it is now; undefined: it has gone, or may not log in any more. */
export async function accountOf({ state }: PhoneTransaction, call: TransactionCall) {
  const { owner } = state;
  if (!owner) return undefined;
  const { username, domain } = owner.name;
  const context = readContext({ username, domain }, call);
  const { account } = await findAccountAgain(owner.dn, context, call);
  return account?.id === owner.id ? account : undefined;
}

/** Sends the push message once more, and draws the picture. @throws ServiceError `not_found` */
export async function touchTransaction(
  { sendPush = false, ...picture }: { readonly sendPush?: boolean | undefined } & Picture,
  named: Named,
  call: TransactionCall,
): Promise<Shot> {
  const transaction = await findTransaction(named.session, named.kind, call);
  const shot = await pictureOf(transaction, picture, call);
  const account = sendPush ? await accountOf(transaction, call) : undefined;
  const to = account && reachable(answering(account, call.clock.now()), call);
  if (account && to !== undefined) await pushTo(to, { transaction, account }, call);
  return shot;
}

/** Wrong typed responses that end a transaction. */
const mostWrong = 5;

/** Judges the response of a phone without a network, which its user has typed. @throws ServiceError `not_found` */
export async function answerTyped(
  { session, kind }: Named,
  response: string,
  call: TransactionCall,
): Promise<TransactionStanding> {
  const transaction = await findTransaction(session, kind, call);
  // Taken before it is judged: who types in parallel has no more tries.
  if (!(await takeTry(transaction, call))) throw noSession();
  const account = await accountOf(transaction, call);
  const shown = shownOf(transaction);
  const tokens = account ? answering(account, call.clock.now()) : [];
  if (!tokens.some(({ secret }) => isTypedProof(response, shown, secret))) return { kind: 'wrong' };
  if (!(await decideTransaction(transaction, { verdict: 'confirmed', auditText: 'confirmed, typed' }, call)))
    throw noSession();
  return checkTransaction({ session, kind }, call);
}

/** One more response that is typed. False: there are none left, or it does not wait. */
export function takeTry({ key, state }: PhoneTransaction, call: TransactionCall): Promise<boolean> {
  return writeStep(
    [key],
    entryOf(state, call),
    (found) => {
      const before = stateIn(found, key, call);
      const now = call.clock.now();
      if (!before || !isPending(before, now)) return { result: false, values: new Map(), texts: [] };
      const wrong = before.wrong + 1;
      const isLast = wrong > mostWrong;
      const after = { ...before, wrong, ...(isLast && { verdict: 'canceled' as const }) };
      return {
        result: !isLast,
        values: new Map([[key, stateValue(key, after, { keys: call.keys, now })]]),
        texts: isLast ? ['canceled: too many wrong responses'] : [],
        isRefused: isLast,
      };
    },
    call,
  );
}
