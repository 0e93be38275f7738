/** The rows of the operation table for logins and signatures by a QR code. */

import { statusOperation } from '../../administration/status/service-status.ts';
import { refusalsOf, type ThrownRefusal } from '../../foundation/errors/refusal-table.ts';
import { isGranted } from '../../login/login.ts';
import type { LoginCall } from '../../login/view.ts';
import { bytesField, integerField, textField } from '../../table/field.ts';
import { operation } from '../../table/operation.ts';
import { pictureOf } from '../phone/outcome.ts';
import type { PhoneTransaction, TransactionCall } from '../phone/transaction.ts';
import { encryptFor } from './encryption.ts';
import {
  answerQrTyped,
  beginQrSession,
  cancelQrSession,
  checkQrSession,
  findQrSession,
  type QrStanding,
} from './session.ts';

const { refusal, refuse } = refusalsOf();

const verdict = { code: integerField, error: textField, message: textField };
const failed = refusal('AuthFailed');
const success = { code: 1, error: '', message: 'Operation success' } as const;

/** A login may end it. */
type QrCall = TransactionCall & LoginCall;

type Done<Fields = object> = typeof success & Fields;
type Waiting = {
  readonly code: 2;
  readonly error: '';
  readonly message: string;
  readonly timeout: number;
};
type Shown = Done<{ readonly QR: Uint8Array; readonly URI: string; readonly timeout: number }>;
type Begun = Shown & { readonly session: string };
type Encrypted = Done<{ readonly data: Uint8Array }>;
type Told =
  | ThrownRefusal
  | Waiting
  | Done<{ readonly username: string; readonly domain: string; readonly data: string }>;

const session = 'aB3dE5fG7hJ9kL1m';

/** A megabyte in base64 and XML. */
const body = 2_097_152;

export const qrauthOperations = {
  qrauthStart: operation({
    summary:
      'Begins a login (`operation` auth), a signature (sign) over `inputData` or `inputText`, or the decryption of `inputData` (decrypt), by scanning a QR code; the phone shows `inputText`.',
    isForSystems: true,
    body,
    request: {
      ...{ client: textField, source: textField, settings: textField, options: textField },
      ...{ operation: textField, inputText: textField, inputData: bytesField },
    },
    response: { ...verdict, session: textField, QR: bytesField, URI: textField, timeout: integerField },
    example: { operation: 'auth', client: 'shop' },
    refuse,
    run: async (request, call: TransactionCall): Promise<ThrownRefusal | Begun> => {
      const begun = await beginQrSession(request, call);
      return { ...(await shown(begun, call)), session: begun.session };
    },
  }),
  qrauthCheck: operation({
    summary:
      'Tells whether somebody has logged in by the QR code: code 1, once; 0 refused; 2 not yet. Where the login mode wants the password too, it comes with this.',
    isForSystems: true,
    request: { session: textField, ldapPassword: textField },
    response: { ...verdict, username: textField, domain: textField, data: textField, timeout: integerField },
    example: { session, ldapPassword: 'password' },
    refuse,
    run: async ({ session, ldapPassword: password }, call: QrCall): Promise<Told> =>
      toAnswer(await checkQrSession({ session, password }, call), call),
  }),
  qrauthOfflineCheck: operation({
    summary:
      'The same with the eight digits that a phone without a network shows. Five wrong ones end the session.',
    isForSystems: true,
    request: {
      ...{ username: textField, domain: textField, session: textField },
      ...{ ldapPassword: textField, qrauthPassword: textField },
    },
    response: { ...verdict, data: textField },
    example: { username: 'alice', session, ldapPassword: 'password', qrauthPassword: '12345678' },
    refuse,
    run: async (request, call: QrCall): Promise<Told> => toAnswer(await answerQrTyped(request, call), call),
  }),
  qrauthCancel: operation({
    summary: 'Ends a session that nobody has answered.',
    isForSystems: true,
    request: { session: textField },
    response: verdict,
    example: { session },
    refuse,
    run: async ({ session }, call: TransactionCall): Promise<ThrownRefusal | Done> => {
      await cancelQrSession(session, call);
      return success;
    },
  }),
  qrauthSessionQR: operation({
    summary: 'Draws the QR code of a session that waits, again.',
    isForSystems: true,
    request: { session: textField },
    response: { ...verdict, QR: bytesField, URI: textField, timeout: integerField },
    example: { session },
    refuse,
    run: async ({ session }, call: TransactionCall): Promise<ThrownRefusal | Shown> =>
      shown(await findQrSession(session, call), call),
  }),
  qrauthEncrypt: operation({
    summary:
      'Encrypts `inputData` or `inputText` so that the phone of the user has to open it: `data` is what `qrauthStart` takes with the operation decrypt.',
    isForSystems: true,
    body,
    request: {
      ...{ username: textField, domain: textField, client: textField, source: textField },
      ...{ settings: textField, inputText: textField, inputData: bytesField },
    },
    response: { ...verdict, data: bytesField },
    example: { username: 'alice', inputText: 'The safe is 4711.' },
    refuse,
    run: async (request, call: TransactionCall): Promise<ThrownRefusal | Encrypted> => {
      const data = await encryptFor(request, call);
      return data ? { ...success, data } : failed;
    },
  }),
  qrauthStatus: statusOperation(refusal('ServerError').message),
} as const;

async function shown(transaction: PhoneTransaction, call: TransactionCall): Promise<Shown> {
  const { uri: URI, timeout, image } = await pictureOf(transaction, {}, call);
  return { ...success, QR: image ?? new Uint8Array(), URI, timeout };
}

async function toAnswer(standing: QrStanding, call: QrCall): Promise<Told> {
  switch (standing.kind) {
    case 'pending':
      return { code: 2, error: '', message: 'Session already started', timeout: standing.timeout };
    case 'refused':
      return failed;
    case 'answered': {
      if (standing.attempt && !(await isGranted(standing.attempt, call))) return failed;
      const { username, domain, data } = await standing.enter();
      return { ...success, username, domain, data };
    }
  }
}
