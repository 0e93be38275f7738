/** Conversion of LDAP result codes (RFC 4511 §4.1.9, appendix A) to ServiceErrors. */
import { type Reason, ServiceError } from '@watchword/core/foundation';
import type { Reply } from './connection/connection.ts';

/** The reason and detail of an error. */
type Meaning = readonly [Reason, string];

/** Code → meaning; the detail is used if the server sends no text. */
const results = new Map<number, Meaning>([
  [1, ['unavailable', 'Operations error']],
  [2, ['internal', 'Protocol error']],
  [3, ['unavailable', 'Time limit exceeded']],
  [4, ['too_large', 'The size limit of the directory server lets nobody read so many entries']],
  [7, ['permission_denied', 'Authentication method not supported']],
  [8, ['permission_denied', 'Stronger authentication required']],
  [10, ['not_found', 'Another directory holds it']],
  [11, ['too_large', 'A limit of the directory server lets nobody read so many entries']],
  [12, ['schema_refused', 'Unavailable critical extension']],
  [13, ['permission_denied', 'Confidentiality required']],
  [16, ['value_missing', 'No such attribute']],
  [17, ['schema_refused', 'Undefined attribute type']],
  [18, ['schema_refused', 'Inappropriate matching']],
  [19, ['schema_refused', 'Constraint violation']],
  [20, ['value_exists', 'Attribute or value exists']],
  [21, ['schema_refused', 'Invalid attribute syntax']],
  [32, ['not_found', 'No such object']],
  [33, ['schema_refused', 'Alias problem']],
  [34, ['invalid_dn', 'Invalid DN syntax']],
  [36, ['schema_refused', 'Alias dereferencing problem']],
  [48, ['credentials_refused', 'Inappropriate authentication']],
  [49, ['credentials_refused', 'Invalid credentials']],
  [50, ['permission_denied', 'Insufficient access rights']],
  [51, ['unavailable', 'The directory is busy']],
  [52, ['unavailable', 'The directory is unavailable']],
  [53, ['schema_refused', 'The directory is unwilling to perform it']],
  [54, ['schema_refused', 'Loop detected']],
  [64, ['schema_refused', 'Naming violation']],
  [65, ['schema_refused', 'Object class violation']],
  [66, ['schema_refused', 'Not allowed on an entry with entries below']],
  [67, ['schema_refused', 'Not allowed on the RDN']],
  [68, ['already_exists', 'Entry already exists']],
  [69, ['schema_refused', 'Changing the structural object class is prohibited']],
  [71, ['schema_refused', 'Affects multiple directory servers']],
  [80, ['schema_refused', 'The directory refuses it without a reason']],
]);

/** Windows error codes at the start of Active Directory's messages ([MS-ERREF] §2.2) that are more specific than the result code. */
const windowsErrors = new Map<number, Meaning>([
  [0x5, ['permission_denied', 'Insufficient access rights']],
  [0x57, ['schema_refused', 'Undefined attribute type']],
  [0x52d, ['password_refused', 'The password does not meet the password policy']],
  [0x561, ['value_missing', 'Not a member of the group']],
  [0x562, ['value_exists', 'A member of the group already']],
  [0x2081, ['schema_refused', 'The attribute holds one value only']],
  [0x2083, ['value_exists', 'Attribute or value exists']],
  [0x2084, ['value_missing', 'No such attribute']],
  [0x2085, ['value_missing', 'No such attribute']],
  [0x2089, ['not_found', 'No such object']],
  [0x208d, ['not_found', 'No such object']],
  [0x2098, ['permission_denied', 'Insufficient access rights']],
]);

/** Result codes of Samba and OpenLDAP that mean something else with these texts. */
const wordedErrors: readonly (readonly [number, RegExp, Meaning])[] = [
  [16, /\bschema\b/, ['schema_refused', 'Undefined attribute type or object class']],
  [20, /SINGLE-VALUE/, ['schema_refused', 'The attribute holds one value only']],
  // OpenLDAP without `by self =xw`: a user may not compare the own password.
  [53, /^unwilling to verify old password/, ['permission_denied', 'Insufficient access rights']],
  [53, /^Attribute \S+ doesn't exist for target/, ['value_missing', 'No such attribute']],
  [68, /^Attribute \S+ already exists for target/, ['value_exists', 'Attribute or value exists']],
  [80, /parent does not exist/, ['not_found', 'No such object']],
];

export const success = 0;
export const sizeLimitExceeded = 4;
export const referral = 10;
export const adminLimitExceeded = 11;
export const noSuchObject = 32;
export const unavailableExtension = 12;
export const noSuchAttribute = 16;
export const undefinedType = 17;
export const objectClassViolation = 65;
/** OpenLDAP's result for a request with the No-Op control that would succeed. */
export const noOperation = 16_654;

/** Returns whether there may be more entries. */
export const isTruncated = ({ code }: Reply): boolean =>
  code === sizeLimitExceeded || code === adminLimitExceeded;

/** @throws ServiceError unless the reply is a success */
export function expectSuccess(reply: Reply): Reply {
  if (reply.code === success) return reply;
  throw errorOf(reply);
}

/** {@link expectSuccess} for a request with a password, whose schema errors are refusals of the password. */
export function expectPasswordSet(reply: Reply): Reply {
  const error = reply.code === success ? undefined : errorOf(reply);
  if (error?.reason === 'schema_refused') throw new ServiceError('password_refused', detailOf(error));
  if (error) throw error;
  return reply;
}

function detailOf({ detail }: ServiceError): { detail?: string } {
  return detail === undefined ? {} : { detail };
}

export function errorOf({ code, diagnostic }: Reply): ServiceError {
  const windows = windowsErrors.get(windowsError(diagnostic));
  const worded = wordedErrors.find(([of, words]) => of === code && words.test(diagnostic))?.[2];
  const [reason, name] = worded ?? windows ?? results.get(code) ?? ['schema_refused', `LDAP result ${code}`];
  // No server says that a limit is its own.
  const isPlain = worded || windows || reason === 'too_large';
  const detail = isPlain ? name : sentence(diagnostic) || name;
  return new ServiceError(reason, { detail, cause: diagnostic });
}

/** Reads the code of `0000052D: SvcErr: DSID-031A12D2, problem 5003 (WILL_NOT_PERFORM), data 0`: 0x52d; 0 if there is none. */
function windowsError(diagnostic: string): number {
  return Number.parseInt(/^([0-9A-Fa-f]{8}): /.exec(diagnostic)?.[1] ?? '0', 16);
}

/** Texts that do not help a person: Windows codes, DNs, source files. */
const forMachines = /^[0-9A-Fa-f]{8}: |\w=[^,]+,\s*\w+=|\.\.\//;

/** Returns the server's text on one line, shortened; '' if it does not help a person. */
function sentence(diagnostic: string): string {
  return forMachines.test(diagnostic)
    ? ''
    : diagnostic
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, 300);
}
