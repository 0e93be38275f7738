import { expect, test } from 'vitest';
import { pbkdf2Check } from './pbkdf2.ts';

/** Writes a vector of an RFC in OpenLDAP's form. */
const written = (rounds: number, salt: string, hex: string) =>
  [Buffer.from(salt), Buffer.from(hex.replaceAll(' ', ''), 'hex')]
    .map((bytes) => bytes.toString('base64').replaceAll('+', '.').replace(/=+$/, ''))
    .reduce((text, part) => `${text}$${part}`, String(rounds));

test.each([
  // RFC 6070 §2.
  [
    'PBKDF2',
    'password',
    written(4096, 'salt', '4b 00 79 01 b7 65 48 9a be ad 49 d9 26 f7 21 d0 65 a4 29 c1'),
  ],
  [
    'PBKDF2-SHA1',
    'password',
    written(1, 'salt', '0c 60 c8 0f 96 1f 0e 71 f3 a9 b5 24 af 60 12 06 2f e0 37 a6'),
  ],
  // RFC 7914 §11, its first 32 bytes: one block.
  [
    'PBKDF2-SHA256',
    'passwd',
    written(1, 'salt', '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc'),
  ],
  // The README of OpenLDAP's pw-pbkdf2.
  [
    'PBKDF2-SHA512',
    'secret',
    '10000$/oQ4xZi382mk7kvCd3ZdkA$2wqjpuyV2l0U/a1QwoQPOtlQL.UcJGNACj1O24balruqQb/NgPW6OCvvrrJP8.SzA3/5iYvLnwWPzeX8IK/bEQ',
  ],
  // Made by OpenLDAP, from the tests of kanidm.
  ['PBKDF2', 'password', '10000$IlfapjA351LuDSwYC0IQ8Q$saHqQTuYnjJN/tmAndT.8mJt.6w'],
  ['PBKDF2-SHA256', 'password', '10000$henZGfPWw79Cs8ORDeVNrQ$1dTJy73v6n3bnTmTZFghxHXHLsAzKaAy8SksDfZBPIw'],
  // With padding and plus signs, made by the 389 Directory Server, from the tests of Kolab.
  [
    'PBKDF2-SHA512',
    '12345678_kolab',
    '10000$hbMHmUXNh3UoHNlDu+NJBOW+hVAhP3C0$ax9vNLL1rr85ppODFTykPC46igHh92vULWpZaR/CQqyD4IGG/IyPYbbC2v7BxSPIDUXc0e9AGX9IuwinIj5a/w==',
  ],
])('verifies a hash by %s of %s', async (scheme, password, hash) => {
  expect(await pbkdf2Check(scheme, hash)?.(password)).toBe(true);
  expect(await pbkdf2Check(scheme, hash)?.(`${password} `)).toBe(false);
});

test.each([
  ['PBKDF2', '1000001$IlfapjA351LuDSwYC0IQ8Q$saHqQTuYnjJN/tmAndT.8mJt.6w'],
  ['PBKDF2', '999999999$IlfapjA351LuDSwYC0IQ8Q$saHqQTuYnjJN/tmAndT.8mJt.6w'],
  ['PBKDF2', '0$IlfapjA351LuDSwYC0IQ8Q$saHqQTuYnjJN/tmAndT.8mJt.6w'],
  ['PBKDF2', '10000$IlfapjA351LuDSwYC0IQ8Q$saHq'],
  ['PBKDF2', '10000$IlfapjA351LuDSwYC0IQ8Q'],
  ['PBKDF2-SHA256', '10000$IlfapjA351LuDSwYC0IQ8Q$saHqQTuYnjJN/tmAndT.8mJt.6w'],
  ['PBKDF2-MD5', '10000$IlfapjA351LuDSwYC0IQ8Q$saHqQTuYnjJN/tmAndT.8mJt.6w'],
])('does not verify %s %s', (scheme, hash) => {
  expect(pbkdf2Check(scheme, hash)).toBeUndefined();
});
