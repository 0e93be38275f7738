/**
 * Transactions: a user confirms or signs on the phone what a calling system shows there. Their state is sealed in the store, under the
 * hash of the id. It stays for a while after the end, so that the system can query the outcome.
 */

import { hash } from 'node:crypto';
import type { Badge } from '../../administration/badging/badge.ts';
import { callerKey } from '../../administration/policy/callers.ts';
import type { NewAuditEvent } from '../../events/recorded.ts';
import { type NamedStep, readSessionId, sessionEntry, writeStep } from '../../events/recorded-step.ts';
import { noSession } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { ActingCall } from '../../login/attempt.ts';
import type { AccountName, LoginRequest } from '../../login/request.ts';
import type { CertificateAuthority, SignatureForm } from '../../ports/authority.ts';
import { isAhead } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { CertificateRecords } from '../../ports/store/certificate-records.ts';
import type { Ledger, TimedValue } from '../../ports/store/ledger.ts';
import type { Store } from '../../ports/store/store.ts';
import type { PhoneWaits } from '../context/phone-waits.ts';
import type { Question } from './protocol.ts';

/** The context of the operations: state is written with its events. */
export interface TransactionCall extends ActingCall {
  readonly store: Ledger;
  readonly authority: Pick<CertificateAuthority, 'sign' | 'assertSignable'>;
  readonly certificates: CertificateRecords;
  readonly phoneWaits: PhoneWaits;
  readonly config: ActingCall['config'] & { readonly manager_url: string; readonly app_scheme: string };
}

export type TransactionDecision = 'confirmed' | 'refused' | 'canceled';

export interface TransactionOwner {
  readonly dn: Dn;
  /** The identifier of the user's entry. */
  readonly id: string;
  readonly name: AccountName;
}

export interface TransactionState extends Question {
  /** The owner. Optional; default: the first user who answers. */
  readonly owner?: TransactionOwner;
  /** The mail address of whom it was sent to, where it is nobody of the directory: no phone answers it. */
  readonly recipient?: string;
  /** The request, where the owner is to log in by it. */
  readonly request?: LoginRequest;
  /** The key of the caller that began it: no other caller sees it. */
  readonly caller: string;
  readonly source?: string | undefined;
  /** The beginning, in milliseconds since 1970. */
  readonly begun: number;
  /** No answer is taken from then on. */
  readonly ends: number;
  /** Base64. */
  readonly file?: string | undefined;
  /** The form of the signature. */
  readonly signedAs?: SignatureForm | undefined;
  /** Wrong responses that were typed. */
  readonly wrong: number;
  readonly verdict?: TransactionDecision;
  /** A badging: its direction, and the place once it is confirmed. */
  readonly badging?: { readonly way: 'in' | 'out'; readonly badge?: Badge };
  /** The opened content, base64. */
  readonly opened?: string;
  /** The signed file, base64, once it was asked for, and the certificate that it is signed with, DER. */
  readonly signed?: { readonly file: string; readonly certificate: string };
}

export interface PhoneTransaction {
  readonly key: string;
  readonly session: string;
  readonly state: TransactionState;
}

/** The family of transactions in the store. */
export const transactionFamily = 'transaction';

export const transactionKey = (session: string): string => `${transactionFamily}:${hash('sha256', session)}`;

/** Seconds for which an ended transaction can be read. */
const grace = 600;

/** Returns the stored value of a state. */
export function stateValue(
  key: string,
  state: TransactionState,
  { keys, now }: { readonly keys: Pick<KeyRing, 'seal'>; readonly now: number },
): TimedValue {
  const { owner } = state;
  const text = JSON.stringify({ ...state, ...(owner && { owner: { ...owner, dn: owner.dn.format() } }) });
  const seconds = Math.max(1, Math.ceil((state.ends - now) / 1000)) + grace;
  return { value: keys.seal(Buffer.from(text), key), seconds };
}

export function readState(key: string, value: Uint8Array, keys: Pick<KeyRing, 'open'>): TransactionState {
  const { owner, ...rest } = JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));
  return { ...rest, ...(owner && { owner: { ...owner, dn: Dn.parse(owner.dn) } }) };
}

export interface TransactionsView {
  readonly store: Pick<Store, 'get'>;
  readonly keys: Pick<KeyRing, 'open'>;
  readonly clock: ActingCall['clock'];
}

/** Looks a transaction up for any caller. @returns undefined: there is none */
export async function lookUpTransaction(
  session: string,
  { store, keys, clock }: TransactionsView,
): Promise<PhoneTransaction | undefined> {
  const key = transactionKey(session);
  const value = await store.get(key);
  const state = value && readState(key, value, keys);
  return state && !isAhead(state.begun, clock.now()) ? { key, session, state } : undefined;
}

/**
 * Finds a transaction of the caller, of one kind or of any.
 * @throws ServiceError `invalid_params` if the text cannot be the id of a session; `not_found` if there is none
 */
export async function findTransaction(
  id: string | undefined,
  kind: Question['kind'] | undefined,
  call: TransactionCall,
): Promise<PhoneTransaction> {
  const found = await lookUpTransaction(readSessionId(id), call);
  const isOther = kind !== undefined && (found?.state.kind !== kind || found.state.request !== undefined);
  if (!found || isOther || found.state.caller !== callerKey(call.caller)) throw noSession();
  return found;
}

/** Returns whether a transaction waits for an answer. */
export const isPending = ({ verdict, ends }: TransactionState, now: number): boolean =>
  verdict === undefined && now < ends;

const titles = {
  confirm: 'Confirmation',
  sign: 'Signature',
  login: 'Login by QR code',
  badge: 'Badging',
  decrypt: 'Decryption',
} as const;

/** Makes the audit entry of a transaction. */
export const entryOf =
  (
    { kind, owner, recipient, source }: Pick<TransactionState, 'kind' | 'owner' | 'recipient' | 'source'>,
    call: NamedStep,
  ) =>
  (text: string, outcome: 'done' | 'refused'): NewAuditEvent =>
    owner
      ? sessionEntry({ ...owner, source }, (user) => `${titles[kind]} of ${user}`, call)(text, outcome)
      : {
          ...{ application: call.names.theirs(call.application.name), source },
          text: `${titles[kind]}${recipient === undefined ? '' : ` by ${JSON.stringify(recipient)}`}: ${text}`,
          facts: { user: recipient ?? '', operation: call.operation, outcome },
        };

/** Durable, with its event, when it resolves. @param besides what is kept with it */
export async function keepTransaction(
  { key, state }: PhoneTransaction,
  call: TransactionCall,
  besides: ReadonlyMap<string, TimedValue> = new Map(),
): Promise<void> {
  const value = stateValue(key, state, { keys: call.keys, now: state.begun });
  const values = new Map([[key, value], ...besides]);
  const begun = () => ({ result: undefined, values, texts: ['begun'] });
  await writeStep([...values.keys()], entryOf(state, call), begun, call);
}
