/** The rows of the method table for passwords that replace all factors. */
import { method } from '../../../table/method.ts';
import { dn, integer, mapOf, optional, password, string, success } from '../../../table/schema/index.ts';
import {
  fetchAppKeys,
  type PasswordView,
  registerAppKey,
  registerTemporary,
  removeAppKey,
  removeTemporary,
} from './password-administration.ts';

const alice = 'uid=alice,ou=people,dc=example,dc=org';

export const passwordMethods = {
  AppKey_Register: method({
    summary:
      'Makes application passwords for a user, one for each client of the configuration, which stand in for all factors; `length` is 10, 15, 20 (default), 25 or 30, `expires` in days, by default never. Those of before are good no more.',
    on: 'dn',
    params: {
      dn: dn(),
      length: optional(integer({ min: 10, max: 30 })),
      expires: optional(integer({ min: 1, max: 365 })),
    },
    example: { dn: alice, length: 20, expires: 90 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'registers', of: 'APPKEY' },
    run: ({ dn, length, expires }, call: PasswordView) => registerAppKey(dn, { length, expires }, call),
  }),
  AppKey_Fetch: method({
    summary: 'Reads the application passwords of a user, by clients.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: mapOf(string()),
    // Nothing is changed, but who has read it can log in: the audit shall know.
    permission: 'write',
    needs: ['readsFactors'],
    own: { does: 'shows', of: 'APPKEY' },
    run: ({ dn }, call: PasswordView) => fetchAppKeys(dn, call),
  }),
  AppKey_Unregister: method({
    summary: 'Removes the application passwords of a user; false if there were none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'removes', of: 'APPKEY' },
    run: ({ dn }, call: PasswordView) => removeAppKey(dn, call),
  }),
  TmpKey_Register: method({
    summary:
      'Sets a temporary password of a user, 10 to 30 characters, which replaces all factors, also the device of `LDAPU2F`, for `expires` minutes (1440 at most, by default 60).',
    on: 'dn',
    params: { dn: dn(), password: password(), expires: optional(integer({ min: 1, max: 1440 })) },
    example: { dn: alice, password: 'lent for an hour', expires: 60 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, password, expires = 60 }, call: PasswordView) =>
      registerTemporary(dn, { password, minutes: expires }, call),
  }),
  TmpKey_Unregister: method({
    summary: 'Removes the temporary password of a user; false if there was none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn }, call: PasswordView) => removeTemporary(dn, call),
  }),
} as const;
