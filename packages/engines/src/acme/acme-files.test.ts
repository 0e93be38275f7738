/** Files of certificate orders: when an order is due, and which files a client can name. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@watchword/node';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accountKey,
  assertUsable,
  challengeCertificate,
  isOrderDue,
  keepChallenge,
  keepOrdered,
  orderedCertificate,
  orderedCertificateFile,
  removeChallenge,
} from './acme-files.ts';
import type { AcmeSettings } from './order-error.ts';

const ports = { clock: systemClock, random: systemRandom };
const day = 86_400_000;
const acme: AcmeSettings = {
  challenge: 'tls-alpn-01',
  directory: 'https://acme.example.org/dir',
  domains: ['a.example.org', 'b.example.org'],
};

let data: string;
let pair: { certificate: string; key: string };
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'watchword-acme-files-'));
  const authority = await createAuthority({ commonName: 'Example CA', days: 365 }, ports);
  pair = await issueServerCertificate(authority, { names: acme.domains, addresses: [], days: 90 }, ports);
});
afterEach(() => rm(data, { recursive: true }));

const now = () => systemClock.now();

describe('an order', () => {
  it('is due without a certificate, and when a third of its lifetime is left', () => {
    expect(isOrderDue({ data, acme }, now())).toBe(true);
    keepOrdered({ data, acme }, acme.directory, pair);
    expect(isOrderDue({ data, acme }, now())).toBe(false);
    expect(isOrderDue({ data, acme }, now() + 59 * day)).toBe(false);
    expect(isOrderDue({ data, acme }, now() + 61 * day)).toBe(true);
  });

  it('is due for another directory or name, and not for fewer names', () => {
    keepOrdered({ data, acme }, acme.directory, pair);
    const due = (changed: Partial<AcmeSettings>) =>
      isOrderDue({ data, acme: { ...acme, ...changed } as AcmeSettings }, now());
    expect(due({ directory: 'https://other.example.org/dir' })).toBe(true);
    expect(due({ domains: ['a.example.org', 'c.example.org'] })).toBe(true);
    expect(due({ domains: ['a.example.org'] })).toBe(false);
    expect(isOrderDue({ data, acme: undefined }, now())).toBe(false);
  });
});

describe('a certificate that was issued', () => {
  const issuedTo = async (names: readonly string[]) =>
    issueServerCertificate(
      await createAuthority({ commonName: 'Example CA', days: 365 }, ports),
      { names, addresses: [], days: 90 },
      ports,
    );

  it('is taken with the ordered names and key', () => {
    expect(() => assertUsable(pair, acme.domains, now())).not.toThrow();
  });

  it('is refused of another key, without a name, due for renewal, and as no certificate', async () => {
    const other = await issuedTo(['a.example.org']);
    const why = (given: Partial<typeof pair>, at = now()) =>
      expect(() => assertUsable({ ...pair, ...given }, acme.domains, at));
    why({ key: other.key }).toThrow(/of another key/);
    why(other).toThrow(/does not have all names/);
    why({}, now() + 61 * day).toThrow(/ends at 20/);
    why({ certificate: 'nothing' }).toThrow(/no certificate/);
  });
});

describe('the ordered certificate', () => {
  it('is used until its end, and with all intermediates', () => {
    const chain = `${pair.certificate}${pair.certificate}`;
    keepOrdered({ data, acme }, acme.directory, { ...pair, certificate: chain });
    const found = orderedCertificate({ data, acme }, now());
    expect(found?.certificate.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(orderedCertificate({ data, acme }, now() + 91 * day)).toBeUndefined();
    expect(orderedCertificate({ data, acme: undefined }, now())).toBeUndefined();
  });

  it('is ordered again when its file is damaged', async () => {
    await writeFile(join(data, orderedCertificateFile), 'nothing');
    expect(orderedCertificate({ data, acme }, now())).toBeUndefined();
    expect(isOrderDue({ data, acme }, now())).toBe(true);
  });
});

describe('the key of the account', () => {
  it('stays the same, is for the owner only, and is refused when it is damaged', async () => {
    const key = accountKey({ data, acme });
    expect(accountKey({ data, acme })).toBe(key);
    const path = join(data, 'acme-account.pem');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFile(path, 'nothing');
    expect(() => accountKey({ data, acme })).toThrow(/acme-account\.pem .* is damaged/);
  });
});

describe('the certificate of a pending challenge', () => {
  it('is found by a name of the configuration, in either case, until it is removed', () => {
    keepChallenge({ data, acme }, 'a.example.org', pair);
    expect(challengeCertificate({ data, acme }, 'A.example.org')?.key).toBe(pair.key);
    expect(challengeCertificate({ data, acme }, 'b.example.org')).toBeUndefined();
    removeChallenge({ data, acme }, 'a.example.org');
    expect(challengeCertificate({ data, acme }, 'a.example.org')).toBeUndefined();
  });

  it('is not kept under a name of the ACME server that was not ordered', async () => {
    await writeFile(join(data, 'ca-key.pem'), 'own');
    for (const name of ['other.example.org', '/../ca-key'])
      expect(() => keepChallenge({ data, acme }, name, pair)).toThrow(/a name that was not ordered/);
    expect(await readdir(data)).toEqual(['ca-key.pem']);
    expect(await readFile(join(data, 'ca-key.pem'), 'utf8')).toBe('own');
  });

  it('is not found by other names, which make no path, and not for another challenge', async () => {
    await writeFile(join(data, 'acme-challenge-other.example.org.pem'), `${pair.certificate}${pair.key}`);
    expect(challengeCertificate({ data, acme }, 'other.example.org')).toBeUndefined();
    expect(challengeCertificate({ data, acme }, '../other')).toBeUndefined();
    keepChallenge({ data, acme }, 'a.example.org', pair);
    const http: AcmeSettings = { ...acme, challenge: 'http-01', http_host: '127.0.0.1', http_port: 80 };
    expect(challengeCertificate({ data, acme: http }, 'a.example.org')).toBeUndefined();
  });
});
