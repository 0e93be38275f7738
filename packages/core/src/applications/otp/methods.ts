/** The rows of the method table for one-time passwords. */

import { lastingFactors } from '../../administration/factor-name.ts';
import type { BlockView } from '../../administration/status/blocks.ts';
import { lookAtBlock, resetBlock, startBlock } from '../../administration/status/blocks.ts';
import type { TimedClaims } from '../../authenticators/authenticator.ts';
import { timeSteps } from '../../authenticators/settings.ts';
import { formatState, hotpStateIn, parseHotpState, totpStateIn } from '../../authenticators/token-data.ts';
import { readProfile } from '../../directory/data/profile.ts';
import { findEntryRef } from '../../directory/data/user-data.ts';
import { onExisting } from '../../directory/entry/entry.ts';
import { endSessions, type SessionEndingView } from '../../directory/entry/sessions.ts';
import type { ProfileContext } from '../../directory/view.ts';
import { algorithms } from '../../foundation/oath/hotp.ts';
import { type Dn, MalformedDn } from '../../foundation/text/dn.ts';
import type { AccountView } from '../../login/view.ts';
import type { ChannelView } from '../../messaging/contact-channels.ts';
import type { Random } from '../../ports/random.ts';
import type { Dialect } from '../../table/dialect.ts';
import { method } from '../../table/method.ts';
import {
  choice,
  code,
  count,
  dn,
  dnOrNot,
  flag,
  integer,
  optional,
  string,
  stringOrFalse,
  strings,
  success,
  text,
  tokenSecret,
} from '../../table/schema/index.ts';
import { read } from '../../table/setting.ts';
import { longestSession } from '../phone/settings.ts';
import { deviceMethods } from './device/device-methods.ts';
import { renameFactor } from './factor-naming.ts';
import { registerEmergency, removeEmergency } from './list/emergency-administration.ts';
import { listOf, registerList, removeList, unusedCodes } from './list/list-administration.ts';
import { beginMobileSession, mobileResponse } from './mobile/mobile-session.ts';
import { passwordMethods } from './password/password-methods.ts';
import { registerPrefix, removePrefix } from './prefix-administration.ts';
import { reportMethods } from './report/report-methods.ts';
import { otpSettings } from './settings.ts';
import { type InventoryTokenView, registerFromInventory } from './token/inventory-registration.ts';
import { ocraMethods } from './token/ocra-methods.ts';
import { registerToken } from './token/registration.ts';
import {
  changeToken,
  enableToken,
  removeToken,
  resyncHotp,
  resyncTotp,
  setCounter,
  startExpiry,
  tokenExpiry,
} from './token/token-administration.ts';
import {
  blockState,
  listState,
  methodsOf,
  timestampToWire,
  tokenList,
  tokensOf,
} from './token/token-report.ts';
import { tokenUri } from './token/token-uri.ts';
import { verifyCode } from './token/verification.ts';
import { yubikeyMethods } from './token/yubikey-methods.ts';
import type { PrefixView, RegistrationView, TokenView, UriView } from './view.ts';
import { voiceMethods } from './voice-methods.ts';

/** The token slot; 1 if none is named. */
const slot = () => optional(integer({ min: 1, max: 10 }));
const codeLength = () => integer({ min: 6, max: 10 });
/** The hash of the codes; preset: the hash that fits the length of the key. */
const algorithm = () => ({ ...optional(choice(...algorithms)), byName: true }) as const;

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const key = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=';
const session = 'aB3dE5fG7hJ9kL1m';
const label = { name: 'Example', key, userid: 'alice', domain: 'Default' };

const registrationMethods = {
  HOTP_Register: method({
    summary: 'Registers a HOTP token (RFC 4226); with a mobile session, once its QR code was scanned.',
    on: 'dn',
    params: {
      dn: dn(),
      key: tokenSecret(),
      counter: optional(integer()),
      state: optional(text()),
      session: optional(code()),
      id: slot(),
      algorithm: algorithm(),
    },
    example: { dn: alice, key, counter: 0 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'registers', of: 'HOTP' },
    run: ({ dn, key, counter, state, id = 1, ...said }, call: RegistrationView) =>
      onExisting(call.directory, dn, async () => {
        const start = counter === undefined ? hotpStateIn(state) : { counter };
        const token = { type: 'HOTP', state: start, slot: id, secret: key, ...said } as const;
        await registerToken(dn, token, call);
      }),
  }),
  TOTP_Register: method({
    summary: 'Registers a TOTP token (RFC 6238); with a mobile session, once its QR code was scanned.',
    on: 'dn',
    params: {
      dn: dn(),
      key: tokenSecret(),
      state: optional(text()),
      session: optional(code()),
      id: slot(),
      algorithm: algorithm(),
    },
    example: { dn: alice, key, session },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'registers', of: 'TOTP' },
    run: ({ dn, key, state, id = 1, ...said }, call: RegistrationView) =>
      onExisting(call.directory, dn, async () => {
        const token = { type: 'TOTP', state: totpStateIn(state), slot: id, secret: key, ...said } as const;
        await registerToken(dn, token, call);
      }),
  }),
  Inventory_Register: method({
    summary:
      'Registers a token of the inventory, in the place of the token in the slot: `serial` is its reference or, of a Yubikey, what it types. `otp` has to be one of its codes, which is used up.',
    on: 'dn',
    params: { dn: dn(), serial: code(), id: slot(), otp: optional(code()) },
    example: { dn: alice, serial: '4711' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, serial, id = 1, otp }, call: InventoryTokenView) =>
      registerFromInventory(dn, { serial, slot: id, otp }, call),
  }),
  HOTP_URI: method({
    summary:
      'Writes the otpauth:// URI of a HOTP token for a QR code, by the settings of the user that it names.',
    on: 'nothing',
    params: {
      ...{ name: text(), key: tokenSecret(), userid: text(), domain: text() },
      ...{ digits: optional(integer()), session: optional(code()), tinyurl: optional(flag()) },
      ...{ state: optional(text()), algorithm: algorithm() },
    },
    example: label,
    result: stringOrFalse(),
    permission: 'read',
    needs: ['readsLogins', 'readsSettings'],
    own: { does: 'offers', of: 'HOTP' },
    run: ({ state = '0', tinyurl = false, ...uri }, call: UriView) => {
      const start = parseHotpState(state);
      return start ? tokenUri({ type: 'HOTP', state: start }, { ...uri, short: tinyurl }, call) : false;
    },
  }),
  TOTP_URI: method({
    summary:
      'Writes the otpauth:// URI of a TOTP token for a QR code, by the settings of the user that it names.',
    on: 'nothing',
    params: {
      ...{ name: text(), key: tokenSecret(), userid: text(), domain: text() },
      ...{ digits: optional(integer()), session: optional(code()), tinyurl: optional(flag()) },
      ...{ period: optional(integer({ max: timeSteps.max })), algorithm: algorithm() },
    },
    example: { ...label, session },
    result: stringOrFalse(),
    permission: 'read',
    needs: ['readsLogins', 'readsSettings'],
    own: { does: 'offers', of: 'TOTP' },
    run: ({ tinyurl = false, ...uri }, call: UriView) => {
      if (uri.period !== undefined && uri.period < timeSteps.min) return false;
      return tokenUri({ type: 'TOTP', state: totpStateIn(undefined) }, { ...uri, short: tinyurl }, call);
    },
  }),
  Mobile_Session: method({
    summary: 'Begins a mobile session, in which a soft token is registered by the scan of its QR code.',
    on: 'dn',
    params: {
      timeout: optional(integer({ min: 1, max: longestSession })),
      dn: optional(dnOrNot()),
      pincode: optional(code()),
    },
    example: { timeout: 300, pincode: '1234' },
    result: string(),
    permission: 'read',
    own: { does: 'offers', of: 'TOKEN' },
    run: async ({ timeout, dn, pincode }, call: MobileBegin) => {
      const user = dn instanceof MalformedDn ? nobody(dn, call) : dn;
      if (user) await findEntryRef(user, call);
      const seconds = timeout ?? (await mobileTimeout(user, call));
      return beginMobileSession({ timeout: seconds, user, pincode }, call);
    },
  }),
  Mobile_Response: method({
    summary: 'Tells how a mobile session is: 1 confirmed, 2 waiting, 0 failed, over or unknown.',
    on: 'nothing',
    params: { session: code() },
    example: { session },
    result: count(),
    permission: 'read',
    own: { does: 'offers', of: 'TOKEN' },
    run: ({ session }, call: TimedClaims) => mobileResponse(session, call),
  }),
} as const;

/** The context of mobile sessions, whose answers do not show which users exist. */
export interface MobileBegin extends ProfileContext, TimedClaims {
  readonly keys: TimedClaims['keys'];
  readonly random: Random;
  readonly dialect: Pick<Dialect, 'forgivesUnknownEntries'>;
}

/** Returns the timeout in seconds: by the settings of the user, else of the installation. */
async function mobileTimeout(user: Dn | undefined, call: ProfileContext): Promise<number> {
  const settings = user ? (await readProfile(user, call)).settings : call.presets;
  return read(settings, otpSettings.MobileTimeout);
}

/** @throws ServiceError `invalid_dn`, where the dialect shows it */
function nobody({ error }: MalformedDn, { dialect }: MobileBegin): undefined {
  if (!dialect.forgivesUnknownEntries) throw error;
}

const codeMethods = {
  HOTP_Verify: method({
    summary: 'Checks a code of a HOTP token without a user; returns the next counter, or false.',
    on: 'nothing',
    params: {
      ...{ otp: code(), key: tokenSecret(), length: codeLength(), state: optional(text()) },
      algorithm: algorithm(),
    },
    example: { otp: '755224', key, length: 6 },
    result: count(),
    permission: 'read',
    own: { does: 'checks', of: 'HOTP' },
    run: ({ length, state, ...given }, call: Pick<AccountView, 'presets' | 'clock'>) => {
      const token = { type: 'HOTP', state: hotpStateIn(state) } as const;
      const after = verifyCode(token, { ...given, digits: length }, call);
      return after?.type === 'HOTP' ? after.state.counter : false;
    },
  }),
  TOTP_Verify: method({
    summary: 'Checks a code of a TOTP token that belongs to nobody; `<step>:<drift>`, or false.',
    on: 'nothing',
    params: {
      otp: code(),
      key: tokenSecret(),
      length: codeLength(),
      period: optional(integer({ min: 1, max: 86_400 })),
      state: optional(text()),
      algorithm: algorithm(),
    },
    example: { otp: '123456', key, length: 6, period: 30 },
    result: stringOrFalse(),
    permission: 'read',
    own: { does: 'checks', of: 'TOTP' },
    run: ({ length, state, ...given }, call: Pick<AccountView, 'presets' | 'clock'>) => {
      const token = { type: 'TOTP', state: totpStateIn(state) } as const;
      const after = verifyCode(token, { ...given, digits: length }, call);
      return after ? formatState(after.state) : false;
    },
  }),
  HOTP_Resync_Counter: method({
    summary: 'Puts the counter of a HOTP token forward; false if it is there or beyond already.',
    on: 'dn',
    params: { dn: dn(), counter: integer(), id: slot() },
    example: { dn: alice, counter: 42 },
    result: success(),
    permission: 'write',
    needs: ['writesData'],
    run: ({ dn, counter, id = 1 }, call: TokenView) => setCounter(dn, { slot: id, counter }, call),
  }),
  HOTP_Resync_Sequence: method({
    summary: 'Finds a HOTP token that is far ahead by two codes in a row; false if they are not.',
    on: 'dn',
    params: { dn: dn(), otp1: code(), otp2: code(), id: slot() },
    example: { dn: alice, otp1: '338314', otp2: '254676' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'repairs', of: 'TOKEN' },
    run: ({ dn, otp1, otp2, id = 1 }, call: TokenView) =>
      resyncHotp(dn, { slot: id, codes: [otp1, otp2] }, call),
  }),
  TOTP_Resync: method({
    summary: 'Finds how far the clock of a TOTP token is off by one code; false if it is none.',
    on: 'dn',
    params: { dn: dn(), otp: code(), id: slot() },
    example: { dn: alice, otp: '123456' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'repairs', of: 'TOKEN' },
    run: ({ dn, otp, id = 1 }, call: TokenView) => resyncTotp(dn, { slot: id, code: otp }, call),
  }),
} as const;

const tokenMethods = {
  Token_Enable: method({
    summary: 'Enables a token, also one that too many wrong codes have disabled.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, id = 1 }, call: TokenView) => enableToken(dn, id, call),
  }),
  Token_Disable: method({
    summary: 'Disables a token: it stays registered and does not log in.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['writesData'],
    run: ({ dn, id = 1 }, call: TokenView) => changeToken(dn, { slot: id, fields: { enabled: false } }, call),
  }),
  Token_Unregister: method({
    summary: 'Removes a token, and a registration that waits for its scan; false if there was none.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['writesData'],
    own: { does: 'removes', of: 'TOKEN' },
    run: ({ dn, id = 1 }, call: TokenView) => removeToken(dn, id, call),
  }),
  Factor_Rename: method({
    summary:
      'Gives a token, a FIDO2 device or the printed list of a user the name that people know it by; without `name` none. False if there is no such factor.',
    on: 'dn',
    params: { dn: dn(), factor: choice(...lastingFactors), id: slot(), name: optional(text()) },
    example: { dn: alice, factor: 'TOKEN', id: 2, name: 'my phone' },
    result: success(),
    permission: 'write',
    needs: ['writesData'],
    own: { does: 'repairs' },
    run: ({ dn, factor, id = 1, name }, call: ProfileContext) =>
      renameFactor(dn, { factor, slot: id, name }, call),
  }),
  Expire_Check: method({
    summary: 'Tells when a token expires; false: never.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: stringOrFalse(),
    permission: 'read',
    needs: ['readsFactors'],
    run: async ({ dn, id = 1 }, call: TokenView) => {
      const expires = await tokenExpiry(dn, id, call);
      return expires === undefined ? false : timestampToWire(expires);
    },
  }),
  Expire_Start: method({
    summary: 'Lets a token expire after a number of days; preset: that of the settings, else 365.',
    on: 'dn',
    params: { dn: dn(), id: slot(), expires: optional(integer({ min: 1, max: 365 })) },
    example: { dn: alice, expires: 30 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, id = 1, expires }, call: TokenView) => startExpiry(dn, { slot: id, days: expires }, call),
  }),
  Expire_Reset: method({
    summary: 'Has a token never expire.',
    on: 'dn',
    params: { dn: dn(), id: slot() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['writesData'],
    run: ({ dn, id = 1 }, call: TokenView) => changeToken(dn, { slot: id, fields: { expires: null } }, call),
  }),
  User_Tokens: method({
    summary: 'Lists the tokens of a user.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: tokenList(),
    permission: 'read',
    needs: ['readsFactors'],
    own: { does: 'looks' },
    run: ({ dn }, call: AccountView) => tokensOf(dn, call),
  }),
  User_Methods: method({
    summary: 'Lists the kinds of one-time passwords that a user has now.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: strings(),
    permission: 'read',
    needs: ['readsFactors'],
    own: { does: 'looks' },
    run: ({ dn }, call: AccountView & ChannelView) => methodsOf(dn, call),
  }),
} as const;

const spareMethods = {
  Emerg_Register: method({
    summary: 'Sets an emergency password, which is accepted wherever a one-time password is, and returns it.',
    on: 'dn',
    params: {
      dn: dn(),
      otp: optional(code()),
      expires: optional(integer({ min: 300, max: 86_400 })),
      maxuse: optional(integer({ max: 0xffff })),
    },
    example: { dn: alice, expires: 3600, maxuse: 1 },
    result: string(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, otp, expires = 3600, maxuse = 0 }, call: PrefixView & Pick<TimedClaims, 'clock'>) =>
      registerEmergency(dn, { otp, seconds: expires, uses: maxuse }, call),
  }),
  Emerg_Unregister: method({
    summary: 'Takes the emergency password away; false if there was none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn }, call: ProfileContext) => removeEmergency(dn, call),
  }),
  Prefix_Register: method({
    summary: `Sets the PIN before the codes of a user whose setting \`${otpSettings.OTPPrefix.name}\` wants one, and returns it; left out, one of 6 digits is made.`,
    on: 'dn',
    params: { dn: dn(), prefix: optional(code()) },
    example: { dn: alice },
    result: string(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, prefix }, call: PrefixView) => registerPrefix(dn, prefix, call),
  }),
  Prefix_Unregister: method({
    summary: 'Takes the PIN away, so that codes are given alone; false if there was none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn }, call: ProfileContext) => removePrefix(dn, call),
  }),
  List_Register: method({
    summary: 'Makes a list of one-time passwords to be printed, each good once, in any order.',
    on: 'dn',
    params: {
      dn: dn(),
      size: optional(integer({ min: 1, max: 100 })),
      algo: optional(choice(...algorithms)),
    },
    example: { dn: alice, size: 20 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'registers', of: 'LIST' },
    run: ({ dn, size, algo }, call: PrefixView) => registerList(dn, { size, algorithm: algo }, call),
  }),
  List_Fetch: method({
    summary: 'Reads the codes of the list that are still good, in the order of the list.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: strings(),
    // Nothing is changed, but who has read it can log in: the audit shall know.
    permission: 'write',
    needs: ['readsFactors'],
    own: { does: 'shows', of: 'LIST' },
    run: ({ dn }, call: ProfileContext) => unusedCodes(dn, call),
  }),
  List_State: method({
    summary: 'Tells how many codes the list has, and how many of them were used.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: listState(),
    permission: 'read',
    needs: ['readsFactors'],
    own: { does: 'looks' },
    run: ({ dn }, call: ProfileContext) => listOf(dn, call),
  }),
  List_Unregister: method({
    summary: 'Removes the list; false if there was none.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    own: { does: 'removes', of: 'LIST' },
    run: ({ dn }, call: ProfileContext) => removeList(dn, call),
  }),
} as const;

const blockMethods = {
  Block_Check: method({
    summary:
      'Tells whether a user is refused anywhere, for how many seconds at most, and which failures count at the moment.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: blockState(),
    permission: 'read',
    needs: ['readsFactors'],
    run: ({ dn }, call: BlockView) => lookAtBlock(dn, call),
  }),
  Block_Start: method({
    summary:
      'Blocks a user for a number of seconds, by default until the block is reset, and ends its single sign-on sessions.',
    on: 'dn',
    params: { dn: dn(), expires: optional(integer({ min: 1, max: 86_400 })) },
    example: { dn: alice, expires: 3600 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors'],
    run: async ({ dn, expires }, call: BlockView & SessionEndingView) => {
      await startBlock(dn, expires, call);
      await endSessions(dn, call);
    },
  }),
  Block_Reset: method({
    summary: 'Lets a blocked user in again and forgets the failures.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['readsFactors'],
    run: ({ dn }, call: BlockView) => resetBlock(dn, call),
  }),
} as const;

export const otpMethods = {
  ...registrationMethods,
  ...codeMethods,
  ...tokenMethods,
  ...spareMethods,
  ...blockMethods,
  ...deviceMethods,
  ...yubikeyMethods,
  ...reportMethods,
  ...passwordMethods,
  ...ocraMethods,
  ...voiceMethods,
} as const;
