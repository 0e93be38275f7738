/** The rows of the operation table for people outside of the directory, who are asked by mail. */
import { refusalsOf, type ThrownRefusal } from '../../../../foundation/errors/refusal-table.ts';
import { bytesField, flagField, ignoredField, integerField, textField } from '../../../../table/field.ts';
import { operation } from '../../../../table/operation.ts';
import { awaitTransaction, secondsLeft, type TransactionStanding } from '../../../phone/outcome.ts';
import { beginExtern, type ExternCall, type WantedExtern } from './begin.ts';

const { refusal, refuse } = refusalsOf({ BadRequest: 'Invalid authentication request' });

const what = { recipient: textField, file: bytesField };
const terms = {
  ...{ async: flagField, timeout: integerField, issuer: textField },
  ...{ client: textField, source: textField, settings: textField },
};
const answer = {
  ...{ code: integerField, error: textField, message: textField, session: textField },
  ...{ timeout: integerField, comment: textField, file: bytesField },
};
const example = { recipient: 'zoe@example.net', file: Buffer.from('The contract.'), async: true };

/** A file of a megabyte, in base64 and XML. */
const body = 2_097_152;

type Answer =
  | ThrownRefusal
  | (ThrownRefusal & { readonly comment: string })
  | {
      readonly code: 2;
      readonly error: '';
      readonly message: string;
      readonly session: string;
      readonly timeout: number;
    }
  | {
      readonly code: 1;
      readonly error: '';
      readonly message: string;
      readonly session: string;
      readonly file?: Uint8Array;
      readonly cert?: Uint8Array;
    };

export const externOperations = {
  otpExternConfirm: operation({
    summary:
      'Asks a person outside of the directory to confirm a file, by a link in a mail that is good once. The answer waits two minutes at most, or with `async` tells the session that otpCheckConfirm takes.',
    isForSystems: true,
    body,
    request: { ...what, scan: ignoredField(flagField), ...terms },
    response: { ...answer, form: bytesField },
    example,
    refuse,
    run: ({ async: isAsync, ...wanted }, call: ExternCall): Promise<Answer> =>
      ask({ ...wanted, kind: 'confirm' }, isAsync, call),
  }),
  otpExternSign: operation({
    summary:
      'The same for a signature, which comes back from otpCheckSign: a PDF as PDF, other files as CMS, in the name of the mail address.',
    isForSystems: true,
    body,
    request: { ...what, mode: textField, ...terms },
    response: { ...answer, cert: bytesField },
    example,
    refuse,
    run: ({ async: isAsync, ...wanted }, call: ExternCall): Promise<Answer> =>
      ask({ ...wanted, kind: 'sign' }, isAsync, call),
  }),
} as const;

async function ask(wanted: WantedExtern, isAsync = false, call: ExternCall): Promise<Answer> {
  const transaction = await beginExtern(wanted, call);
  if (!transaction) return refusal('AuthFailed');
  if (!isAsync) return toAnswer(await awaitTransaction(transaction, call));
  const { session, state } = transaction;
  return toAnswer({ kind: 'pending', session, timeout: secondsLeft(state, call.clock.now()) });
}

function toAnswer(standing: TransactionStanding): Answer {
  switch (standing.kind) {
    case 'pending': {
      const { session, timeout } = standing;
      return { code: 2, error: '', message: 'Session already started', session, timeout };
    }
    case 'confirmed': {
      const { session, file, certificate: cert } = standing;
      const message = 'Authentication success';
      return { code: 1, error: '', message, session, ...(file && { file }), ...(cert && { cert }) };
    }
    default:
      return { ...refusal('AuthFailed'), comment: 'Refused by the recipient' };
  }
}
