/** What strangers have the authority sign by OCSP: requests of openssl, changed. */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Integer, OctetString, Sequence } from 'asn1js';
import { Extension, OCSPRequest } from 'pkijs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../core/src/ports/authority.ts';
import { scratchFolder } from '../../core/src/testing/bed/scratch.ts';
import { systemClock, systemRandom } from '../../node/src/machine/index.ts';
import { createAuthority, openAuthority } from './index.ts';

const ports = { clock: systemClock, random: systemRandom };
const malformed = '30030a0101'; // RFC 6960 §4.2.1

let folder: string;
let authority: CertificateAuthority;
beforeAll(async () => {
  folder = await scratchFolder('ocsp');
  authority = await openAuthority(await createAuthority({ commonName: 'People', days: 9 }, ports), ports);
  writeFileSync(join(folder, 'ca.pem'), authority.certificate);
});
afterAll(() => rmSync(folder, { recursive: true }));

function openssl(...options: string[]): Buffer {
  const given = ['-issuer', 'ca.pem', '-CAfile', 'ca.pem', ...options];
  return execFileSync('openssl', ['ocsp', ...given], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
}

function requestOf(...options: string[]): OCSPRequest {
  openssl(...options, '-serial', '0x4142', '-reqout', 'request.der');
  return OCSPRequest.fromBER(Uint8Array.from(readFileSync(join(folder, 'request.der'))));
}

async function answer(request: OCSPRequest): Promise<Buffer> {
  const der = new Uint8Array(request.toSchema(true).toBER());
  return Buffer.from(await authority.answer(der, async () => ({ status: 'good' })));
}

const octets = (length: number) => new OctetString({ valueHex: new Uint8Array(length).fill(7).buffer });

/** @param value content of the extension */
async function askWithNonce(value: ArrayBuffer): Promise<string> {
  const request = requestOf('-no_nonce');
  request.tbsRequest.requestExtensions = [
    new Extension({ extnID: '1.3.6.1.5.5.7.48.1.2', extnValue: value }),
  ];
  return (await answer(request)).toString('hex');
}

it.each([1, 16, 32, 128])('repeats a nonce of %i octets, RFC 9654 §2.1', async (length) => {
  const value = octets(length).toBER();
  expect(await askWithNonce(value)).toContain(Buffer.from(value).toString('hex'));
});

it.each([0, 129, 10_000])('refuses a nonce of %i octets, RFC 9654 §2.1', async (length) => {
  expect(await askWithNonce(octets(length).toBER())).toBe(malformed);
});

it('takes a nonce in the form of older clients, and none at all', async () => {
  expect(await askWithNonce(new Uint8Array(16).fill(0xa7).buffer)).toContain('a7'.repeat(16));
  expect(await askWithNonce(new Uint8Array(129).fill(0xa7).buffer)).toBe(malformed);
  const none = await answer(requestOf('-no_nonce'));
  expect(none.toString('hex')).not.toBe(malformed);
});

it('signs no long name of a certificate', async () => {
  for (const digest of ['-sha1', '-sha256', '-sha512'])
    expect((await answer(requestOf(digest))).toString('hex')).not.toBe(malformed);
  const [serial, parameters] = [requestOf(), requestOf()];
  for (const { reqCert } of serial.tbsRequest.requestList)
    reqCert.serialNumber = new Integer({ valueHex: new Uint8Array(1000).fill(0x41).buffer });
  for (const { reqCert } of parameters.tbsRequest.requestList)
    reqCert.hashAlgorithm.algorithmParams = new Sequence({ value: [octets(1000)] });
  for (const request of [serial, parameters]) expect((await answer(request)).toString('hex')).toBe(malformed);
});

it('answers openssl, nonce and all', async () => {
  writeFileSync(join(folder, 'response.der'), await answer(requestOf()));
  const given = ['-reqin', 'request.der', '-respin', 'response.der', '-resp_text'];
  const result = openssl(...given).toString();
  for (const line of ['OCSP Nonce:', 'Cert Status: good']) expect(result).toContain(line);
});
