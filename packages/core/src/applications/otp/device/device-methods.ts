/** The rows of the method table for FIDO2 devices. */
import { method } from '../../../table/method.ts';
import { base64, dn, integer, optional, string, success, text } from '../../../table/schema/index.ts';
import {
  type DeviceView,
  deviceList,
  devicesOf,
  type NamedDeviceView,
  registerDevice,
  registrationChallenge,
  removeDevice,
  switchDevice,
} from './device-administration.ts';

const slot = () => optional(integer({ min: 1, max: 10 }));

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const random = 'hB3a5S0nq0m8p1gQ7yVn1w';

export const deviceMethods = {
  FIDO_Challenge: method({
    summary:
      'Begins the registration of a FIDO2 device: answers what the page hands to the browser, PublicKeyCredentialCreationOptionsJSON as text, with `random` (16 to 64 bytes) as its challenge.',
    on: 'nothing',
    params: { username: text(), domain: text(), random: base64(), appid: optional(text()) },
    example: { username: 'alice', domain: 'Default', random },
    result: string(),
    permission: 'read',
    own: { does: 'offers', of: 'FIDO2' },
    run: ({ username, domain, random, appid }, call: NamedDeviceView) =>
      registrationChallenge({ username, domain, random, appid }, call),
  }),
  FIDO_Register: method({
    summary:
      'Registers a FIDO2 device, in the place of the one in the slot: `response` is what the browser gave (RegistrationResponseJSON) in base64, `random` as in FIDO_Challenge.',
    on: 'dn',
    params: { dn: dn(), response: text(), random: base64(), id: slot(), name: optional(text()) },
    example: { dn: alice, response: 'eyJpZCI6Ii4uLiJ9', random, name: 'blue key' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'registers', of: 'FIDO2' },
    run: ({ dn, response, random, id = 1, name }, call: DeviceView) =>
      registerDevice(dn, { response, random, slot: id, name }, call),
  }),
  FIDO_Enable: method({
    summary: 'Lets a FIDO2 device log in again; false if it may.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, id = 1 }, call: DeviceView) => switchDevice(dn, { slot: id, isEnabled: true }, call),
  }),
  FIDO_Disable: method({
    summary: 'Lets a FIDO2 device log in no more, until it is enabled; false if it does not.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, id = 1 }, call: DeviceView) => switchDevice(dn, { slot: id, isEnabled: false }, call),
  }),
  FIDO_Unregister: method({
    summary: 'Removes a FIDO2 device; false if there was none.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'removes', of: 'FIDO2' },
    run: ({ dn, id = 1 }, call: DeviceView) => removeDevice(dn, id, call),
  }),
  User_Devices: method({
    summary: 'Lists the FIDO2 devices of a user.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: deviceList(),
    permission: 'read',
    needs: ['readsFactors'],
    own: { does: 'looks' },
    run: ({ dn }, call: DeviceView) => devicesOf(dn, call),
  }),
} as const;
