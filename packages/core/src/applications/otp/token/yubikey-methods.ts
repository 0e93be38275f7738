/** The rows of the method table for Yubikeys that type Yubico OTPs. */
import type { ProfileContext } from '../../../directory/view.ts';
import { method } from '../../../table/method.ts';
import {
  base64,
  code,
  count,
  dn,
  integer,
  optional,
  success,
  text,
  tokenSecret,
} from '../../../table/schema/index.ts';
import type { CloudView, RegistrationView } from '../view.ts';
import { locateYubikey, registerYubicloud, registerYubikey, resetYubikey } from './yubikey-administration.ts';

const slot = () => optional(integer({ min: 1, max: 10 }));

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const [key, secret, publicId] = ['7N4Y2+dvvQwzMw8cNUhx2w==', 'h5Lr/ibM', 'LTROgw=='];
const otp = 'dteffujehknhfjbrjnlnldnhcujvddbikngjrtgh';

export const yubikeyMethods = {
  Yubikey_Register: method({
    summary:
      'Registers a Yubikey that types Yubico OTPs, in the place of the token in the slot: `key` is its AES key (16 bytes), `secret` its private id (6), `public` its public id (up to 16).',
    on: 'dn',
    params: {
      dn: dn(),
      key: tokenSecret(),
      secret: base64(),
      public: base64(),
      state: optional(text()),
      id: slot(),
    },
    example: { dn: alice, key, secret, public: publicId },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, key, secret, public: publicId, state, id = 1 }, call: RegistrationView) =>
      registerYubikey(dn, { slot: id, key, privateId: secret, publicId, state }, call),
  }),
  Yubicloud_Register: method({
    summary:
      'Registers a Yubikey whose codes a verification server judges (`yubico` of the configuration), in the place of the token in the slot. `otp` is a code of it, which is used up.',
    on: 'dn',
    params: { dn: dn(), otp: code(), id: slot() },
    example: { dn: alice, otp },
    result: success(),
    permission: 'write',
    run: ({ dn, otp, id = 1 }, call: CloudView) => registerYubicloud(dn, { slot: id, otp }, call),
  }),
  Yubikey_Locate: method({
    summary:
      'Tells in which slot the Yubikey is that has typed a code; 0: none has. The code is not used up.',
    on: 'dn',
    params: { dn: dn(), otp: code() },
    example: { dn: alice, otp },
    result: count(),
    permission: 'read',
    needs: ['readsFactors'],
    run: ({ dn, otp }, call: ProfileContext) => locateYubikey(dn, otp, call),
  }),
  Yubikey_Reset: method({
    summary:
      'Sets the counter of a Yubikey back that was programmed again. Codes that have logged in stay used up.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, id = 1 }, call: ProfileContext) => resetYubikey(dn, id, call),
  }),
} as const;
