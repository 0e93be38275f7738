/** The rows of the operation table for badging. */
import type { Badge } from '../../../../administration/badging/badge.ts';
import { refusalsOf, type ThrownRefusal } from '../../../../foundation/errors/refusal-table.ts';
import { flagField, ignoredField, integerField, textField } from '../../../../table/field.ts';
import { operation } from '../../../../table/operation.ts';
import type { TransactionCall } from '../../../phone/transaction.ts';
import { badge, badgeOf } from './badging.ts';

const { refusal, refuse } = refusalsOf({ BadRequest: 'Invalid authentication request' });

const who = { username: textField, domain: textField };
const caller = { client: textField, source: textField, settings: textField };
const response = {
  ...{ code: integerField, error: textField, message: textField },
  ...{ location: textField, source: textField, address: textField, country: textField },
};

type Answer =
  | ThrownRefusal
  | {
      readonly code: 1;
      readonly error: '';
      readonly message: string;
      readonly location: string;
      readonly source: string;
      readonly address: string;
      readonly country: string;
    };

export const badgingOperations = {
  otpStartBadging: operation({
    summary:
      'Asks a user on the phone, by push, to badge in, or out; the answer waits for the user. `location` is what the phone says, `source` its IP address, `address` the name of the office; `country` stays empty.',
    isForSystems: true,
    request: { ...who, data: textField, ...caller, virtual: ignoredField(textField) },
    response,
    example: { username: 'alice' },
    refuse,
    run: async (request, call: TransactionCall): Promise<Answer> => toAnswer(await badge(request, call)),
  }),
  otpCheckBadging: operation({
    summary: 'Tells whether a user is badged in and where, with `office` whether in an office.',
    isForSystems: true,
    request: { ...who, office: flagField, ...caller },
    response,
    example: { username: 'alice' },
    refuse,
    run: async (request, call: TransactionCall): Promise<Answer> => toAnswer(await badgeOf(request, call)),
  }),
} as const;

const toAnswer = (found: Badge | undefined): Answer =>
  found
    ? {
        ...{ code: 1, error: '', message: 'Authentication success' },
        ...{ location: found.location, source: found.source, address: found.office, country: '' },
      }
    : refusal('AuthFailed');
