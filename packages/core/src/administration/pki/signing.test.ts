/** Certificates for people, from requests that openssl makes, and judged by openssl. */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dn } from '../../foundation/text/dn.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const run = promisify(execFile);
const openssl = async (...args: string[]) => {
  const { stdout, stderr } = await run('openssl', args, { cwd: folder });
  return stdout + stderr;
};
const day = 86_400_000;

let fixture: Fixture;
let folder: string;
beforeAll(async () => {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  folder = mkdtempSync(join(tmpdir(), 'watchword-signing-'));
  fixture.clock.advance(Date.now() - fixture.clock.now());
  write('ca.pem', (await get('/cacert')).body);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await fixture.close();
});

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const read = (name: string) => readFileSync(join(folder, name));
const users = (more = '') => `/CN=Default\\\\alice/UID=alice/DC=Default/description=USER${more}`;
const admins = () => `/CN=${fixture.admin.dn}/description=ADMIN/SN=Admin`;

const ec = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
/** A request in PEM, and its key in `key.pem`. */
async function request(subject: string, key: readonly string[] = ec, ...more: string[]): Promise<string> {
  const out = ['-nodes', '-keyout', 'key.pem', '-out', 'request.pem', '-subj', subject];
  await openssl('req', '-new', '-newkey', ...key, ...out, ...more);
  return read('request.pem').toString();
}

const sign = (pem: string, more = {}, as = fixture.admin) =>
  fixture.call('Sign_certificate_Request', { request: pem, ...more }, { as });
async function signed(subject: string, more = {}): Promise<string> {
  const { result, error } = await sign(await request(subject), more);
  expect(error).toBeUndefined();
  write('certificate.pem', String(result));
  return String(result);
}

const web = (method: string, path: string, body: Uint8Array = new Uint8Array()) => ({
  ...{ method, url: new URL(`https://localhost:4443${path}`), headers: new Headers() },
  ...{ body: async () => body, address: '192.0.2.1', port: 40_000 },
});
async function get(path: string) {
  const response = await fixture.service.web.answerShared(web('GET', path));
  if (!response) throw new Error(`nothing stands at ${path}`);
  return response;
}

describe('a certificate that is signed', () => {
  it.each([
    ['ECDSA P-256', ec],
    ['ECDSA P-384', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']],
    ['ECDSA P-521', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521']],
    ['RSA 2048', ['rsa:2048']],
  ])('passes openssl verify -x509_strict for an %s key', async (_, key) => {
    const { result } = await sign(await request(users('/SN=Doe'), key));
    write('certificate.pem', String(result));
    for (const purpose of ['sslclient', 'smimesign', 'smimeencrypt'])
      expect(
        await openssl('verify', '-x509_strict', '-purpose', purpose, '-CAfile', 'ca.pem', 'certificate.pem'),
      ).toContain('certificate.pem: OK');
    const certificate = new X509Certificate(String(result));
    expect(certificate.subject.split('\n')).toEqual([
      ...['CN=Default\\\\alice', 'UID=alice', 'DC=Default', 'description=USER', 'SN=Doe'],
    ]);
    expect(await openssl('x509', '-in', 'certificate.pem', '-noout', '-pubkey')).toBe(
      await openssl('pkey', '-in', 'key.pem', '-pubout'),
    );
  });

  it('may be asked for with text around the request, as openssl writes it', async () => {
    const pem = await request(users());
    write('asked.pem', pem);
    const text = await openssl('req', '-in', 'asked.pem', '-text');
    expect(text).toMatch(/^Certificate Request:[\s\S]+-----BEGIN CERTIFICATE REQUEST/);
    for (const asked of [
      text,
      `From: alice\r\n\r\n${pem.replaceAll('\n', '\r\n')}\r\n-- \r\nAlice`,
      `\ufeff${pem}`,
    ])
      expect(new X509Certificate(String((await sign(asked)).result)).subject).toContain('UID=alice');
  });

  it('has the extensions of the interface, and no others that the request asks for', async () => {
    const pem = await request(users(), ec, '-addext', 'subjectAltName=email:ceo@example.org');
    write('certificate.pem', String((await sign(pem)).result));
    const text = await openssl('x509', '-in', 'certificate.pem', '-noout', '-text');
    expect(text).toContain('Digital Signature, Non Repudiation, Key Encipherment');
    expect(text).toContain('TLS Web Client Authentication, E-mail Protection');
    expect(text).toContain('CA:FALSE');
    expect(text).toContain('URI:https://localhost:4443/crl');
    expect(text).toContain('OCSP - URI:https://localhost:4443/ocsp/');
    expect(text).toMatch(/Subject Key Identifier[\s\S]*Authority Key Identifier/);
    expect(text).not.toContain('ceo@example.org');
  });

  it('lives for 365 days exactly, or as long as asked', async () => {
    const life = (pem: string) => {
      const { validFrom, validTo } = new X509Certificate(pem);
      return (Date.parse(validTo) - Date.parse(validFrom)) / day;
    };
    expect(life(await signed(users()))).toBe(365);
    expect(life(await signed(users(), { expires: 7 }))).toBe(7);
    for (const expires of [0, 3651])
      expect((await sign(await request(users()), { expires })).error?.reason).toBe('invalid_params');
    fixture.clock.advance(10 * day);
    expect((await sign(await request(users()), { expires: 3650 })).error?.data).toMatch(
      /expires is 3650 days, and the certificate authority itself ends on/,
    );
    fixture.clock.advance(-10 * day);
  });

  it('logs its user in once it stands on the entry, until it is revoked', async () => {
    const { dn } = fixture.users.alice;
    await fixture.call('Activate_LDAP_Object', { dn });
    const certificate = await signed(users());
    const login = () => fixture.service.web.otp.pkiLogin({ certificate });
    expect(await login()).toMatchObject({ code: 0 });
    const attrs = { usercertificate: [certificate.replace(/-----[A-Z ]+-----|\s/g, '')] };
    expect(await fixture.call('Set_User_Attrs', { dn, attrs, values: true })).toMatchObject({ result: 1 });
    expect((await fixture.call('Get_User_Certificates', { dn })).result).toEqual([certificate.trim()]);
    expect(await login()).toMatchObject({ code: 1, username: 'alice', domain: 'Default' });
    const serial = new X509Certificate(certificate).serialNumber;
    expect((await fixture.call('Revoke_Certificate', { serial })).result).toBe(true);
    expect(await login()).toMatchObject({ code: 0, error: 'AuthFailed' });
  });

  it('is for an administrator where its CN is the DN of one', async () => {
    const certificate = new X509Certificate(await signed(admins()));
    expect(certificate.toLegacyObject().subject).toMatchObject({
      CN: fixture.admin.dn,
      description: 'ADMIN',
    });
    const { result } = await fixture.call('List_Certificates', { dn: fixture.admin.dn });
    expect(result).toMatchObject([{ serial: certificate.serialNumber.toLowerCase(), status: 'valid' }]);
  });

  it.each([
    ['a user', 'description=USER', '/C=AU/ST=Some-State/O=Internet Widgits/OU=a/OU=b', users],
    ['an administrator', 'description=ADMIN', '/C=DE/L=Berlin/givenName=Ann', admins],
    ['a calling system', 'description=CLIENT', '/O=Example/postalCode=1', () => '/CN=vpn/description=CLIENT'],
  ])('has place and organisation of the request, in its order: %s', async (_, kind, more, subject) => {
    const asked = await request(`${more}${subject()}`);
    write('certificate.pem', String((await sign(asked)).result));
    write('asked.pem', asked);
    const subjectOf = async (...file: string[]) =>
      openssl(...file, '-noout', '-subject', '-nameopt', 'utf8,sep_multiline');
    const signed = await subjectOf('x509', '-in', 'certificate.pem');
    expect(signed).toBe(await subjectOf('req', '-in', 'asked.pem'));
    expect(signed).toContain(kind);
    expect(await openssl('verify', '-x509_strict', '-CAfile', 'ca.pem', 'certificate.pem')).toContain(': OK');
  });
});

describe('a request that is refused', () => {
  const refusal = async (pem: string) => {
    const { error } = await sign(pem);
    return `${error?.reason}: ${error?.data}`;
  };

  it.each([
    ['RSA 1024', ['rsa:1024'], [], 'RSA key of 1024 bits'],
    ['a curve of another kind', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'], [], 'key of another kind'],
    ['Ed25519', ['ed25519'], [], 'key of another kind'],
    ['SHA-1', ec, ['-sha1'], 'weak digest'],
    ['MD5', ['rsa:2048'], ['-md5'], 'weak digest'],
  ])('for its key or digest: %s', async (_, key, more, why) => {
    expect(await refusal(await request(users(), key, ...more))).toMatch(
      new RegExp(`^invalid_params: .*Parameter request .*${why}`),
    );
  });

  it('because somebody changed it, or it is none', async () => {
    const pem = await request(users());
    const der = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64');
    const pemOf = (bytes: Buffer) =>
      `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    const forged = Buffer.from(der.toString('latin1').replaceAll('alice', 'admin'), 'latin1');
    expect(await refusal(pemOf(forged))).toContain('is not signed with its own key');
    expect(await refusal(pemOf(Buffer.concat([der, Buffer.alloc(2)])))).toContain('bytes behind its end');
    for (const text of ['', 'x', pemOf(der.subarray(0, -3)), read('ca.pem').toString(), ' '.repeat(16_385)])
      expect(await refusal(text)).toContain('invalid_params: ');
    for (const text of [pem + pem, pem + read('key.pem'), read('ca.pem') + pem])
      expect(await refusal(text)).toContain('holds more than one block in PEM');
    expect(await refusal(pem)).toBe('undefined: undefined');
  });

  it.each([
    ['no description', '/CN=Default\\\\alice/UID=alice/DC=Default'],
    ['another description', '/CN=Default\\\\alice/UID=alice/DC=Default/description=ROOT'],
    ['another user in CN', '/CN=Default\\\\bob/UID=alice/DC=Default/description=USER'],
    ['no UID', '/CN=Default\\\\alice/DC=Default/description=USER'],
    ['two UIDs', users('/UID=bob')],
    ['two kinds', users('/description=ADMIN')],
    ['a mail address', users('/emailAddress=ceo@example.org')],
    ['a title', users('/title=Chief')],
    ['two organisations in one part', users('/O=a+OU=b')],
    ['a second description behind an organisation', `/O=x${users('/description=ADMIN')}`],
    ['a second name behind an organisation', `/O=x/CN=uid=admin,dc=example,dc=org${users()}`],
    ['no more than an organisation', '/O=Example/OU=USER'],
    ['a CN that is no DN', '/CN=admin/description=ADMIN'],
    ['a calling system without a name', '/description=CLIENT'],
    ['a calling system that calls itself a mistyped address', '/CN=10.0.0.999/description=CLIENT'],
    ['a calling system with a UID', '/CN=vpn/UID=alice/DC=Default/description=CLIENT'],
    ['an administrator with a UID', '/CN=uid=admin,dc=example,dc=org/UID=x/description=ADMIN'],
    ['two values in one part', '/CN=Default\\\\alice+UID=alice/DC=Default/description=USER'],
  ])('for its subject: %s', async (_, subject) => {
    expect(await refusal(await request(subject, ec, '-multivalue-rdn'))).toMatch(
      /^invalid_params: .*Parameter request/,
    );
  });

  it.each([
    [
      'a user',
      '/CN=Default\\\\nobody/UID=nobody/DC=Default/description=USER',
      /User not found Default\\nobody$/,
    ],
    ['a domain', '/CN=Else\\\\alice/UID=alice/DC=Else/description=USER', /Domain 'Else' not existing$/],
    [
      'an administrator',
      '/CN=uid=nobody,dc=example,dc=org/description=ADMIN',
      /LDAP object 'uid=nobody,dc=example,dc=org' does not exist$/,
    ],
  ])('because there is no such owner: %s', async (_, subject, words) => {
    const result = await refusal(await request(subject));
    expect(result).toMatch(/^not_found: /);
    expect(result).toMatch(words);
  });

  it('because the caller may not change the owner', async () => {
    const node = await fixture.another({
      config: { super_admins: [fixture.administrators, fixture.users.bob.dn] },
    });
    node.directory.setWriters([Dn.parse(fixture.administrators)]); // as where it keeps rights of its own
    for (const subject of [users(), admins()]) {
      const { error } = await node.call(
        'Sign_certificate_Request',
        { request: await request(subject) },
        { as: fixture.users.bob },
      );
      expect(error?.reason).toBe('permission_denied');
    }
    await node.close();
  });
});

describe('revocation', () => {
  const verify = async () => {
    write('crl.der', (await get('/crl')).body);
    await openssl('crl', '-inform', 'DER', '-in', 'crl.der', '-out', 'crl.pem');
    const options = ['-x509_strict', '-crl_check', '-CAfile', 'ca.pem', '-CRLfile', 'crl.pem'];
    return openssl('verify', ...options, 'certificate.pem').catch((error) => String(error.stderr));
  };

  async function status(of = ['-cert', 'certificate.pem'], ...more: readonly string[]): Promise<string> {
    await openssl('ocsp', '-issuer', 'ca.pem', ...of, '-reqout', 'ocsp.request');
    const response = await fixture.service.web.answerShared(web('POST', '/ocsp/', read('ocsp.request')));
    expect(response?.headers['content-type']).toBe('application/ocsp-response');
    write('ocsp.response', response?.body ?? '');
    // With the request at hand, openssl also compares the nonce.
    const given = ['-reqin', 'ocsp.request', '-respin', 'ocsp.response', '-CAfile', 'ca.pem'];
    return openssl('ocsp', ...given, '-issuer', 'ca.pem', '-resp_text', ...more);
  }

  it('is seen in the list and by OCSP', async () => {
    const { serialNumber } = new X509Certificate(await signed(users()));
    expect(await verify()).toContain('certificate.pem: OK');
    expect(await status()).toMatch(/Cert Status: good[\s\S]*Response verify OK/);
    const serial = serialNumber.match(/../g)?.join(':');
    expect((await fixture.call('Revoke_Certificate', { serial })).result).toBe(true);
    expect((await fixture.call('Revoke_Certificate', { serial })).result).toBe(false);
    expect(await verify()).toContain('certificate revoked');
    expect(await status()).toMatch(/Cert Status: revoked[\s\S]*Response verify OK/);
    expect(await openssl('crl', '-in', 'crl.pem', '-noout', '-CAfile', 'ca.pem', '-verify')).toContain(
      'verify OK',
    );
    const { result } = await fixture.call('List_Certificates', { dn: fixture.users.alice.dn });
    expect(result).toContainEqual(
      expect.objectContaining({ serial: serialNumber.toLowerCase(), status: 'revoked' }),
    );
  });

  it('has its list signed when it changes, on whichever node, or after an hour', async () => {
    const node = await fixture.another();
    const list = async () => Buffer.from((await get('/crl')).body).toString('hex');
    const first = await list();
    fixture.clock.advance(59 * 60_000);
    expect(await list()).toBe(first);
    const { serialNumber: serial } = new X509Certificate(await signed(users()));
    expect(await list()).toBe(first);
    expect((await node.call('Revoke_Certificate', { serial })).result).toBe(true);
    const second = await list();
    expect(second).not.toBe(first);
    expect(await verify()).toContain('certificate revoked');
    fixture.clock.advance(61 * 60_000);
    expect(await list()).not.toBe(second);
    fixture.clock.advance(-120 * 60_000);
    await node.close();
  });

  it('knows nothing of certificates of others', async () => {
    const files = ['-keyout', 'k', '-out', 'certificate.pem'];
    await openssl('req', '-x509', '-newkey', ...ec, '-nodes', '-subj', '/CN=x', ...files);
    // The request names an issuer that has not signed the answer, so openssl 3.0.22 verifies no signature of it.
    expect(await status(['-cert', 'certificate.pem'], '-noverify')).toContain('Cert Status: unknown');
    expect(await status(['-serial', '0x1234'])).toMatch(/Cert Status: unknown[\s\S]*Response verify OK/);
    for (const serial of ['00', '', 'x', 'ab'.repeat(10_000)])
      expect((await fixture.call('Revoke_Certificate', { serial })).error?.reason).toBe('not_found');
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a long one', 'x'.repeat(20_000)],
  ])('answers a bad OCSP request: %s', async (_, text) => {
    const response = await fixture.service.web.answerShared(web('POST', '/ocsp', Buffer.from(text)));
    expect(Buffer.from(response?.body ?? '').toString('hex')).toBe('30030a0101'); // malformedRequest, RFC 6960 §4.2.1
  });

  it('is fetched with the methods that HTTP has for it', async () => {
    const statusOf = async (method: string, path: string) =>
      (await fixture.service.web.answerShared(web(method, path)))?.status;
    expect(await statusOf('POST', '/crl')).toBe(405);
    expect(await statusOf('GET', '/ocsp/')).toBe(405);
    expect(await statusOf('HEAD', '/cacert')).toBe(200);
  });
});
