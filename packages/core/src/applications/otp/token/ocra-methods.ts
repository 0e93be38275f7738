/** The rows of the method table for OCRA tokens, RFC 6287. */
import { method } from '../../../table/method.ts';
import { code, dn, integer, optional, success, text, tokenSecret } from '../../../table/schema/index.ts';
import type { RegistrationView, TokenView } from '../view.ts';
import {
  registerOcra,
  resyncOcraCounter,
  resyncOcraTime,
  setOcraCounter,
  setOcraPin,
} from './ocra-administration.ts';

const slot = () => optional(integer({ min: 1, max: 10 }));

const alice = 'uid=alice,ou=people,dc=example,dc=org';

export const ocraMethods = {
  OCRA_Register: method({
    summary:
      'Registers an OCRA token (RFC 6287) of the suite that the settings name: `key` is 20, 32 or 64 bytes, `pin` for suites with P, `state` the next counter for suites with C.',
    on: 'dn',
    params: { dn: dn(), key: tokenSecret(), pin: optional(code()), state: optional(text()), id: slot() },
    example: { dn: alice, key: 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, key, pin, state, id = 1 }, call: RegistrationView) =>
      registerOcra(dn, { slot: id, key, pin, state }, call),
  }),
  OCRA_Resync_Counter: method({
    summary: 'Puts the counter of an OCRA token forward; false if it is there or beyond already.',
    on: 'dn',
    params: { dn: dn(), counter: integer(), id: slot() },
    example: { dn: alice, counter: 42 },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, counter, id = 1 }, call: TokenView) => setOcraCounter(dn, { slot: id, counter }, call),
  }),
  OCRA_Resync_Sequence: method({
    summary:
      'Finds the counter of an OCRA token that is far ahead, by two answers in a row to one challenge; false if they are not.',
    on: 'dn',
    params: { dn: dn(), otp1: code(), otp2: code(), challenge: text(), id: slot() },
    example: { dn: alice, otp1: '65347737', otp2: '86775851', challenge: '12345678' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, otp1, otp2, challenge, id = 1 }, call: TokenView) =>
      resyncOcraCounter(dn, { slot: id, question: challenge, codes: [otp1, otp2] }, call),
  }),
  OCRA_Resync_Time: method({
    summary:
      'Finds how far the clock of an OCRA token is off, by one answer to a challenge; false if it is nowhere.',
    on: 'dn',
    params: { dn: dn(), otp: code(), challenge: text(), id: slot() },
    example: { dn: alice, otp: '237653', challenge: '00000000' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, otp, challenge, id = 1 }, call: TokenView) =>
      resyncOcraTime(dn, { slot: id, question: challenge, code: otp }, call),
  }),
  OCRA_Setpin: method({
    summary: 'Sets the PIN of an OCRA token whose suite has one: 4 to 64 letters and digits.',
    on: 'dn',
    params: { dn: dn(), pin: code(), id: slot() },
    example: { dn: alice, pin: '4711' },
    result: success(),
    permission: 'write',
    needs: ['readsFactors', 'writesData'],
    run: ({ dn, pin, id = 1 }, call: TokenView) => setOcraPin(dn, { slot: id, pin }, call),
  }),
} as const;
