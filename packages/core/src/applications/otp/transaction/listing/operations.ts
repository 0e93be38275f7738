/** The rows of the operation table that list the transactions of a calling system. */
import { refusalsOf, type ThrownRefusal } from '../../../../foundation/errors/refusal-table.ts';
import { textField } from '../../../../table/field.ts';
import { operation } from '../../../../table/operation.ts';
import { listTransactions } from '../../../phone/listing.ts';
import type { Question } from '../../../phone/protocol.ts';
import type { TransactionCall } from '../../../phone/transaction.ts';

const { refuse } = refusalsOf({ BadRequest: 'Invalid authentication request' });

/** The code of these is text. */
type Refused = { readonly code: '0'; readonly error: ThrownRefusal['error']; readonly message: string };
type Listed = { readonly code: '1'; readonly error: ''; readonly message: string; readonly jsonData: string };
type Answer = Refused | Listed;

const response = { code: textField, error: textField, message: textField, jsonData: textField };
const refuseInText = (thrown: unknown): Refused => ({ ...refuse(thrown), code: '0' });

async function listed(
  kinds: readonly Question['kind'][] | undefined,
  call: TransactionCall,
): Promise<Listed> {
  const jsonData = JSON.stringify(await listTransactions(kinds, call));
  return { code: '1', error: '', message: 'Authentication success', jsonData };
}

export const listOperations = {
  otpList: operation({
    summary:
      'Lists the calling system’s transactions with their states, the newest first: `jsonData` is an array of JSON.',
    isForSystems: true,
    request: {},
    response,
    example: {},
    refuse: refuseInText,
    run: (_, call: TransactionCall): Promise<Answer> => listed(undefined, call),
  }),
  otpListLogin: operation({
    summary: 'The same of logins by QR code, for older clients.',
    isForSystems: true,
    request: {},
    response,
    example: {},
    refuse: refuseInText,
    run: (_, call: TransactionCall): Promise<Answer> => listed(['login'], call),
  }),
  otpListConfirm: operation({
    summary: 'The same of confirmations and signatures, for older clients.',
    isForSystems: true,
    request: {},
    response,
    example: {},
    refuse: refuseInText,
    run: (_, call: TransactionCall): Promise<Answer> => listed(['confirm', 'sign'], call),
  }),
} as const;
