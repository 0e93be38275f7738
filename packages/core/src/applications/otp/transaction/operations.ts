/** The rows of the operation table for transactions: confirmations and signatures of users on the phone. */
import { refusalsOf, type ThrownRefusal } from '../../../foundation/errors/refusal-table.ts';
import { bytesField, flagField, ignoredField, integerField, textField } from '../../../table/field.ts';
import { type Fields, operation, type Values } from '../../../table/operation.ts';
import {
  answerTyped,
  awaitTransaction,
  cancelTransaction,
  checkTransaction,
  pictureOf,
  type TransactionStanding,
  touchTransaction,
} from '../../phone/outcome.ts';
import type { Question } from '../../phone/protocol.ts';
import type { TransactionCall } from '../../phone/transaction.ts';
import { beginTransaction } from './begin.ts';

const { refusal, refuse } = refusalsOf({ BadRequest: 'Invalid authentication request' });

const verdict = { code: integerField, error: textField, message: textField };
const who = { username: textField, domain: textField };
const caller = { client: textField, source: textField, settings: textField };
const what = { ...who, data: textField, file: bytesField };
const terms = { async: flagField, timeout: integerField, issuer: textField, ...caller };
const virtual = ignoredField(textField);
const picture = { qrFormat: textField, qrSizing: integerField, qrMargin: integerField };

const asked = { ...what, form: ignoredField(bytesField), scan: ignoredField(flagField), ...terms };
const signed = { ...what, mode: textField, ...terms };

const answer = {
  ...verdict,
  session: textField,
  timeout: integerField,
  comment: textField,
  file: bytesField,
};
const confirmAnswer = { ...answer, form: bytesField };
const signAnswer = { ...answer, cert: bytesField };
const pictureAnswer = { ...verdict, session: textField, timeout: integerField, qrImage: bytesField };
const touchAnswer = { ...verdict, timeout: integerField, qrImage: bytesField };

const success = { code: 1, error: '', message: 'Authentication success' } as const;
const canceled = { code: 1, error: '', message: 'Mobile authentication canceled' } as const;
const failed = refusal('AuthFailed');

/** A file of a megabyte, in base64 and XML. */
const body = 2_097_152;

const session = 'aB3dE5fG7hJ9kL1m';
const example = { username: 'alice', data: 'Pay 100 EUR to <b>ACME</b>?', async: true };
const document = { username: 'alice', file: Buffer.from('The contract.'), async: true };

type Refused = ThrownRefusal & { readonly comment?: string };
type Done = { readonly code: 1; readonly error: ''; readonly message: string };
type Pending = {
  readonly code: 2;
  readonly error: '';
  readonly message: string;
  readonly session: string;
  readonly timeout: number;
};
type Parts<F extends Fields> = Omit<Values<F>, keyof typeof verdict>;

type Answer = ThrownRefusal | Refused | Pending | (Done & Parts<typeof signAnswer>);
type Picture = ThrownRefusal | (Done & Parts<typeof pictureAnswer>);

export const transactionOperations = {
  otpNormalConfirm: operation({
    summary:
      'Asks a user to confirm something on the phone, by push. The answer waits for the user, or with `async` tells the session to ask for it by. A file comes back signed once it is confirmed: a PDF as PDF, others as CMS.',
    isForSystems: true,
    body,
    request: { ...asked, virtual },
    response: confirmAnswer,
    example,
    refuse,
    run: (request, call: TransactionCall): Promise<Answer> => ask({ ...request, kind: 'confirm' }, call),
  }),
  otpConfirmQRCode: operation({
    summary: 'The same with a QR code that the user scans; its URI is the message.',
    isForSystems: true,
    body,
    request: { ...asked, ...picture, virtual },
    response: pictureAnswer,
    example,
    refuse,
    run: (request, call: TransactionCall): Promise<Picture> => show({ ...request, kind: 'confirm' }, call),
  }),
  otpOfflineQRCode: operation({
    summary:
      'The same as otpConfirmQRCode, for older clients. The phone may be without a network: it shows eight digits, which otpOfflineConfirm takes.',
    isForSystems: true,
    request: { ...who, data: textField, ...caller, ...picture },
    response: pictureAnswer,
    example: { username: 'alice', data: example.data },
    refuse,
    run: (request, call: TransactionCall): Promise<Picture> => show({ ...request, kind: 'confirm' }, call),
  }),
  otpCheckConfirm: operation({
    summary: 'Tells whether the user has confirmed: code 1 yes, 0 no, 2 not yet.',
    isForSystems: true,
    request: { session: textField },
    response: confirmAnswer,
    example: { session },
    refuse,
    run: async ({ session }, call: TransactionCall): Promise<Answer> =>
      toAnswer(await checkTransaction({ session, kind: 'confirm' }, call)),
  }),
  otpCancelConfirm: operation({
    summary: 'Takes back what a user was asked to confirm, and has not answered.',
    isForSystems: true,
    request: { session: textField },
    response: confirmAnswer,
    example: { session },
    refuse,
    run: ({ session }, call: TransactionCall): Promise<Answer> => cancel({ session, kind: 'confirm' }, call),
  }),
  otpTouchConfirm: operation({
    summary: 'Sends the push message once more (`sendPush`), and shows the QR code.',
    isForSystems: true,
    request: { session: textField, sendPush: flagField, ...picture },
    response: touchAnswer,
    example: { session, sendPush: true },
    refuse,
    run: (request, call: TransactionCall): Promise<Picture> => touch({ ...request, kind: 'confirm' }, call),
  }),
  otpOfflineConfirm: operation({
    summary:
      'Confirms with the eight digits that a phone without a network shows. Five wrong ones end the session.',
    isForSystems: true,
    request: { session: textField, response: textField },
    response: confirmAnswer,
    example: { session, response: '12345678' },
    refuse,
    run: async ({ session, response = '' }, call: TransactionCall): Promise<Answer> =>
      toAnswer(await answerTyped({ session, kind: 'confirm' }, response, call)),
  }),
  otpNormalSign: operation({
    summary:
      'Asks a user to sign a file on the phone, by push; a PDF comes back as PDF (PAdES), others as CMS (CAdES), with the certificate that it is signed with. `mode` is auto, CADES or PADES; `settings` may say `CaDESMode=Detached`.',
    isForSystems: true,
    body,
    request: { ...signed, virtual },
    response: signAnswer,
    example: document,
    refuse,
    run: (request, call: TransactionCall): Promise<Answer> => ask({ ...request, kind: 'sign' }, call),
  }),
  otpSignQRCode: operation({
    summary: 'The same with a QR code that the user scans; its URI is the message.',
    isForSystems: true,
    body,
    request: { ...signed, ...picture, virtual },
    response: pictureAnswer,
    example: document,
    refuse,
    run: (request, call: TransactionCall): Promise<Picture> => show({ ...request, kind: 'sign' }, call),
  }),
  otpCheckSign: operation({
    summary: 'Tells whether the user has signed: code 1 yes, 0 no, 2 not yet.',
    isForSystems: true,
    request: { session: textField },
    response: signAnswer,
    example: { session },
    refuse,
    run: async ({ session }, call: TransactionCall): Promise<Answer> =>
      toAnswer(await checkTransaction({ session, kind: 'sign' }, call)),
  }),
  otpCancelSign: operation({
    summary: 'Takes back what a user was asked to sign, and has not answered.',
    isForSystems: true,
    request: { session: textField },
    response: signAnswer,
    example: { session },
    refuse,
    run: ({ session }, call: TransactionCall): Promise<Answer> => cancel({ session, kind: 'sign' }, call),
  }),
  otpTouchSign: operation({
    summary: 'Sends the push message once more (`sendPush`), and shows the QR code.',
    isForSystems: true,
    request: { session: textField, sendPush: flagField, ...picture },
    response: touchAnswer,
    example: { session, sendPush: true },
    refuse,
    run: (request, call: TransactionCall): Promise<Picture> => touch({ ...request, kind: 'sign' }, call),
  }),
} as const;

interface Kind {
  readonly kind: Question['kind'];
}

type Asked = Values<typeof asked & typeof signed> & Kind;

/** Asks by push. A caller that waits wants the user to be reached; a caller that asks later may show the URI. */
async function ask({ async: isAsync = false, ...wanted }: Asked, call: TransactionCall): Promise<Answer> {
  const transaction = await beginTransaction({ ...wanted, push: isAsync ? 'if possible' : 'needed' }, call);
  if (!transaction) return failed;
  if (!isAsync) return toAnswer(await awaitTransaction(transaction, call));
  const { uri: message, session, timeout } = await pictureOf(transaction, { qrFormat: 'NONE' }, call);
  return { code: 2, error: '', message, session, timeout } as const;
}

/** Asks by a picture. */
async function show(
  { async: _, qrFormat, qrSizing, qrMargin, ...wanted }: Asked & Values<typeof picture>,
  call: TransactionCall,
): Promise<Picture> {
  const transaction = await beginTransaction({ ...wanted, push: 'none' }, call);
  if (!transaction) return failed;
  const {
    uri: message,
    image,
    ...rest
  } = await pictureOf(transaction, { qrFormat, qrSizing, qrMargin }, call);
  return { ...success, ...rest, message, ...(image && { qrImage: image }) };
}

async function cancel(named: { readonly session: string | undefined } & Kind, call: TransactionCall) {
  await cancelTransaction(named, call);
  return canceled;
}

async function touch(
  {
    session,
    kind,
    ...wanted
  }: Values<typeof picture> &
    Kind & {
      readonly session?: string | undefined;
      readonly sendPush?: boolean | undefined;
    },
  call: TransactionCall,
) {
  const { uri: message, timeout, image } = await touchTransaction(wanted, { session, kind }, call);
  return { code: 1, error: '', message, timeout, ...(image && { qrImage: image }) } as const;
}

function toAnswer(standing: TransactionStanding): Answer {
  switch (standing.kind) {
    case 'pending':
      return {
        code: 2,
        error: '',
        message: 'Session already started',
        session: standing.session,
        timeout: standing.timeout,
      };
    case 'refused':
      return { ...failed, comment: 'Refused by the user' };
    case 'wrong':
      return { ...failed, comment: 'Wrong response' };
    case 'confirmed': {
      const { session, file, certificate } = standing;
      return { ...success, session, ...(file && { file }), ...(certificate && { cert: certificate }) };
    }
  }
}
