/** The rows of the method table for SSH keys. */
import { method } from '../../table/method.ts';
import {
  base64,
  choice,
  dn,
  integer,
  optional,
  password,
  pem,
  singleWord,
  string,
  success,
  text,
} from '../../table/schema/index.ts';
import { type DeviceKeyView, deviceKeyChallenge, registerDeviceKey } from './administration/device-key.ts';
import {
  exportKey,
  importKey,
  type KeyView,
  registerKey,
  removeKey,
  restrictKey,
} from './administration/key-administration.ts';
import { keyOf, keyReport } from './administration/key-report.ts';
import { type PivView, registerPiv } from './administration/piv-key.ts';
import { kindOf, readPublicKey } from './public-key.ts';
import {
  type RecordingsView,
  readRecording,
  recordedBytes,
  recordingReport,
  recordingsOfUser,
  removeRecording,
} from './recording/administration.ts';

/** Days, and sessions; 0: without end. */
const terms = () => ({
  expires: optional(integer({ min: 0, max: 3650 })),
  maxuse: optional(integer({ min: 0, max: 1_000_000 })),
});

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const pubkey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKrih2CslPF8ZUj42zD5N3GRmS6dDqgD8mWX2VvhsBYc alice@laptop';

const random = 'hB3a5S0nq0m8p1gQ7yVn1w';
const recordingOfAlice = '0123456789abcdef0123456789abcdef';

export const sshkeyMethods = {
  Key_Register: method({
    summary:
      'Makes an SSH key for a user, in the place of the one before, and answers the private key once: it is kept nowhere. `type` is RSA (`size` 2048, 3072, 4096), ECC (256, 384, 521) or ED25519; `expires` is in days, `maxuse` in sessions, 0 without end, by default as the settings say.',
    on: 'dn',
    params: {
      dn: dn(),
      type: choice('RSA', 'ECC', 'DSA', 'ED25519'),
      size: optional(integer({ min: 256, max: 4096 })),
      ...terms(),
    },
    example: { dn: alice, type: 'ED25519', expires: 90 },
    result: string(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'makes', of: 'SSHKEY', typeOf: ({ type }) => String(type) },
    run: ({ dn, ...kind }, call: KeyView) => registerKey(dn, kind, call),
  }),
  Key_Import: method({
    summary: 'Takes the public key of a user, in OpenSSH’s form or PEM, in the place of the one before.',
    on: 'dn',
    params: { dn: dn(), pubkey: pem(), ...terms() },
    example: { dn: alice, pubkey },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: {
      ...{ does: 'registers', of: 'SSHKEY' },
      typeOf: ({ pubkey: given }) => kindOf(readPublicKey(String(given))),
    },
    run: ({ dn, ...key }, call: KeyView) => importKey(dn, key, call),
  }),
  PIV_Register: method({
    summary:
      'Takes the public key of a PIV device of the inventory as the SSH key of a user, in the place of the one before; `serial` is its reference.',
    on: 'dn',
    params: { dn: dn(), serial: text() },
    example: { dn: alice, serial: '5871' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, serial }, call: PivView) => registerPiv(dn, serial, call),
  }),
  FIDO_Challenge: method({
    summary:
      'Begins the registration of a key on a FIDO2 device: answers what the page hands to the browser, PublicKeyCredentialCreationOptionsJSON as text, with `random` (16 to 64 bytes) as its challenge.',
    on: 'nothing',
    params: { username: text(), domain: text(), random: base64(), appid: optional(text()) },
    example: { username: 'alice', domain: 'Default', random },
    result: string(),
    permission: 'read',
    run: (wanted, call: DeviceKeyView) => deviceKeyChallenge(wanted, call),
  }),
  FIDO_Register: method({
    summary:
      'Takes a key on a FIDO2 device as the SSH key of a user, in the place of the one before: `response` is what the browser gave (RegistrationResponseJSON) in base64, `random` as in FIDO_Challenge.',
    on: 'dn',
    params: { dn: dn(), response: text(), random: base64() },
    example: { dn: alice, response: 'eyJpZCI6Ii4uLiJ9', random },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, response, random }, call: DeviceKeyView) => registerDeviceKey(dn, { response, random }, call),
  }),
  Key_Export: method({
    summary:
      'Writes a private key in another form, encrypted under `password` where there is one: PEM (PKCS #8) or PPK (PuTTY). It is kept nowhere.',
    on: 'nothing',
    params: { privkey: pem(), format: optional(choice('PEM', 'PPK')), password: optional(password()) },
    example: { privkey: '-----BEGIN PRIVATE KEY-----…', format: 'PPK' },
    result: string(),
    permission: 'self',
    run: (key) => exportKey(key),
  }),
  Key_Restrict: method({
    summary:
      'Changes how long (`expires`, in days from now) and how often (`maxuse`, sessions) the SSH key of a user is good; 0: without end. What is left out stays.',
    on: 'dn',
    params: { dn: dn(), ...terms() },
    example: { dn: alice, expires: 7 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, ...wanted }, call: KeyView) => restrictKey(dn, wanted, call),
  }),
  User_Key: method({
    summary:
      'Tells of the SSH key of a user its type, size, SHA-256 fingerprint as ssh-keygen prints it, comment, public key, and how long and for how many sessions more it is good; false if there is none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: keyReport(),
    permission: 'read',
    needs: ['readsFactors'],
    own: { does: 'looks' },
    run: ({ dn }, call: KeyView) => keyOf(dn, call),
  }),
  User_Recordings: method({
    summary:
      'Lists the recordings of the SSH sessions of a user, the last one first: which session, when, and how many bytes; `full`: a bound of `ssh_recordings` was met.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: recordingReport(),
    permission: 'read',
    needs: ['readsFactors'],
    run: ({ dn }, call: RecordingsView) => recordingsOfUser(dn, call),
  }),
  Recording_Get: method({
    summary:
      'Answers what was shown in an SSH session, up to a megabyte, in base64; `next` is what `from` is for the rest, false: that was all. The event log has each call.',
    on: 'dn',
    params: { dn: dn(), id: singleWord(), from: optional(integer({ max: 1_000_000_000 })) },
    example: { dn: alice, id: recordingOfAlice },
    result: recordedBytes(),
    // Reads of recordings are audited.
    permission: 'write',
    needs: ['readsFactors'],
    run: ({ dn, ...wanted }, call: RecordingsView) => readRecording(dn, wanted, call),
  }),
  Recording_Remove: method({
    summary: 'Removes the recording of an SSH session.',
    on: 'dn',
    params: { dn: dn(), id: singleWord() },
    example: { dn: alice, id: recordingOfAlice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, id }, call: RecordingsView) => removeRecording(dn, id, call),
  }),
  Key_Unregister: method({
    summary: 'Removes the SSH key of a user; false if there is none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['writesData'],
    own: { does: 'removes', of: 'SSHKEY' },
    run: ({ dn }, call: KeyView) => removeKey(dn, call),
  }),
} as const;
