import { describe, expect, it } from 'vitest';
import { errorOf } from './results.ts';

const refused = (code: number, diagnostic = '') => {
  const { reason, detail } = errorOf({ code, diagnostic, entries: [], controls: [] });
  return [reason, detail];
};

describe('result code', () => {
  it.each([
    [4, 'too_large', 'The size limit of the directory server lets nobody read so many entries'],
    [16, 'value_missing', 'No such attribute'],
    [20, 'value_exists', 'Attribute or value exists'],
    [32, 'not_found', 'No such object'],
    [50, 'permission_denied', 'Insufficient access rights'],
    [65, 'schema_refused', 'Object class violation'],
    [68, 'already_exists', 'Entry already exists'],
    [123, 'schema_refused', 'LDAP result 123'],
  ])('%i without a text has the text of RFC 4511', (code, reason, words) => {
    expect(refused(code)).toEqual([reason, words]);
  });

  it.each([
    [
      19,
      'Password fails quality checking policy',
      'schema_refused',
      'Password fails quality checking policy',
    ],
    [19, '0000052D: SvcErr: DSID-031A12D2, problem 5003', 'password_refused', /password policy$/],
    [53, '00000561: SvcErr: DSID-031A120C, problem 5003', 'value_missing', 'Not a member of the group'],
    [
      16,
      '00000057: LdapErr: DSID-0C090D8A, comment: Error in attribute',
      'schema_refused',
      'Undefined attribute type',
    ],
    [
      53,
      '0000209A: SvcErr: DSID-1, problem 5003',
      'schema_refused',
      'The directory is unwilling to perform it',
    ],
    [1, 'operations error at ../../source4/dsdb/samldb.c:3328', 'unavailable', 'Operations error'],
    [
      65,
      "attribute ('member') on 'CN=g3,CN=Users,DC=example,DC=test'",
      'schema_refused',
      'Object class violation',
    ],
    [65, 'two\r\nlines\u0000', 'schema_refused', 'two lines'],
  ])('%i with %j', (code, diagnostic, reason, words) => {
    expect(refused(code, diagnostic)).toEqual([
      reason,
      typeof words === 'string' ? words : expect.stringMatching(words),
    ]);
  });
});
