/** The rows of the operation table for sending SMS. */

import { statusOperation } from '../../administration/status/service-status.ts';
import { refusalsOf, type ThrownRefusal } from '../../foundation/errors/refusal-table.ts';
import { integerField, listField, textField } from '../../table/field.ts';
import { operation } from '../../table/operation.ts';
import { type SmsCall, sendForAccount } from './sending.ts';

const account = { username: textField, password: textField };
const caller = { client: textField, source: textField };
const verdict = { code: integerField, error: textField, message: textField };

const { refusal, refuse } = refusalsOf({ BadRequest: 'Invalid SMS request', ServerError: 'Server Error' });

type SmsAnswer = typeof success | ThrownRefusal;

const success = { code: 1, error: '', message: 'SMS send success' } as const;
const example = {
  username: 'portal',
  password: 'password',
  mobile: ['+491512345678'],
  text: 'Your parcel is here.',
};

export const smsOperations = {
  smsSend: operation({
    summary:
      'Sends an SMS to one or more numbers, for an account of the service. `type` is Normal or Flash: shown at once, and not kept by the phone.',
    request: {
      ...account,
      mobile: listField,
      text: textField,
      type: textField,
      sender: textField,
      ...caller,
    },
    response: verdict,
    example,
    refuse,
    run: async (request, call: SmsCall): Promise<SmsAnswer> =>
      (await sendForAccount(request, call)) ? success : refusal('AuthFailed'),
  }),
  smsSign: operation({
    summary:
      'The same for a text that is of use for `timeout` seconds only: it is not tried any longer. Nothing waits for an answer of the person.',
    request: { ...account, mobile: listField, text: textField, timeout: integerField, ...caller },
    response: verdict,
    example: { ...example, timeout: 300 },
    refuse,
    run: async (request, call: SmsCall): Promise<SmsAnswer> =>
      (await sendForAccount(request, call)) ? success : refusal('AuthFailed'),
  }),
  smsStatus: statusOperation(refusal('ServerError').message),
} as const;
