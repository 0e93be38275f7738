/** Simple binds, RFC 4513 §5.1.3, and the reasons of refusals. */

import type { Dn } from '@watchword/core/foundation';
import type { BindRefusal } from '@watchword/core/ports';
import { errorOf, success } from '../results.ts';
import { integer, octetString } from '../wire/ber.ts';
import { controlValue } from '../wire/messages.ts';
import { control, OwnRequest, operations } from '../wire/request.ts';
import { wireDn } from '../wire/wire-names.ts';
import type { Connection, Reply } from './connection.ts';

export type BindAnswer =
  | {
      readonly granted: true;
      readonly mustChange: boolean;
      /** False: the password is right, but must be changed before a bind. */
      readonly bound: boolean;
      /** Remaining logins with an expired password. Optional; default: not expired. */
      readonly graceLogins?: number | undefined;
    }
  | { readonly granted: false; readonly refusal: BindRefusal };

/** Sub-codes in Active Directory's `80090308: LdapErr: …, data 52e, v4563`; hexadecimal Windows errors. */
const dataCodes: Record<string, BindRefusal | 'must_change'> = {
  '525': 'wrong_password', // no such user
  '52e': 'wrong_password',
  '530': 'not_permitted_now', // logon hours
  '531': 'not_permitted_now', // from this workstation
  '532': 'password_expired',
  '533': 'account_disabled',
  '701': 'account_expired',
  '773': 'must_change',
  '775': 'account_locked',
};

/** Result codes that refuse a bind; any other is an error. */
const refusals = new Map<number, BindRefusal>([
  [19, 'account_locked'], // 389 Directory Server
  [32, 'wrong_password'],
  [34, 'wrong_password'],
  [48, 'wrong_password'], // the entry has no password
  [49, 'wrong_password'],
  [53, 'account_disabled'],
]);

/** The password policy control, which has no value in a request: draft-behera-ldap-password-policy §6.1. */
const passwordPolicy = '1.3.6.1.4.1.42.2.27.8.5.1';
const policyRequest = control(passwordPolicy);
/** Errors in the control of a response, §6.2 of the draft. */
const policyErrors = { passwordExpired: 0, accountLocked: 1, changeAfterReset: 2 } as const;

const version3 = integer(0x02, 3);
/** The tag of a simple password, RFC 4511 §4.2. */
const simple = 0x80;

/**
 * Binds on a connection for exclusive use. It sends the password policy control (draft-behera-ldap-password-policy §6), without which OpenLDAP
 * does not say that an account is locked.
 * @param password not empty: an empty one would bind anonymously, RFC 4513 §5.1.2
 * @param done called when the connection may be used by others
 * @throws ServiceError if the server neither grants nor refuses the bind
 */
export function bind(
  connection: Connection,
  { dn, password }: { readonly dn: Dn; readonly password: string },
  done?: () => void,
): Promise<BindAnswer> {
  const contents = version3 + octetString(wireDn(dn)) + octetString(password, simple);
  return connection.request(new OwnRequest(operations.bind, contents, policyRequest), done).then(answerOf);
}

function answerOf(reply: Reply): BindAnswer {
  const { graceLogins, error } = policyOf(reply);
  if (reply.code === success)
    return { granted: true, mustChange: error === policyErrors.changeAfterReset, bound: true, graceLogins };
  if (error === policyErrors.accountLocked) return { granted: false, refusal: 'account_locked' };
  if (error === policyErrors.passwordExpired) return { granted: false, refusal: 'password_expired' };
  return bindRefused(reply);
}

interface PolicyResponse {
  readonly graceLogins?: number | undefined;
  /** One of {@link policyErrors}. */
  readonly error?: number | undefined;
}

/**
 * Decodes `SEQUENCE { warning [0] CHOICE { timeBeforeExpiration [0] INTEGER, graceAuthNsRemaining [1] INTEGER } OPTIONAL,
 * error [1] ENUMERATED OPTIONAL }`, §6.2 of the draft.
 */
function policyOf({ controls }: Reply): PolicyResponse {
  const value = controlValue(controls, passwordPolicy)?.open(0x30);
  if (!value?.more) return {};
  const warning = value.tag === 0xa0 ? value.open(0xa0) : undefined;
  const graceLogins = warning?.more && warning.tag === 0x81 ? warning.integer(0x81) : undefined;
  return { graceLogins, error: value.more ? value.integer(0x81) : undefined };
}

function bindRefused(reply: Reply): BindAnswer {
  const why = dataCode(reply.diagnostic) ?? refusals.get(reply.code);
  if (why === undefined) throw errorOf(reply);
  return why === 'must_change'
    ? { granted: true, mustChange: true, bound: false }
    : { granted: false, refusal: why };
}

function dataCode(diagnostic: string): BindRefusal | 'must_change' | undefined {
  const match = /\bdata ([0-9a-f]{3})\b/i.exec(diagnostic);
  return dataCodes[match?.[1]?.toLowerCase() ?? ''];
}
