/** Mode PKI behind a reverse proxy: the certificate is the one that the proxy passes on. */
import { X509Certificate } from 'node:crypto';
import { basic, type Enrolment, type Fixture, openEnrolment, openFixture } from '@watchword/core/testing/bed';
import { behindProxies } from '@watchword/node/http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManagerHandler } from './handler.ts';

let fixture: Fixture;
let node: Fixture;
let enrolment: Enrolment;
beforeAll(async () => {
  fixture = await openFixture({ config: { limits: { login_failure_delay_ms: 0 } } });
  enrolment = await openEnrolment(fixture);
  const limits = { login_failure_delay_ms: 0, user_failures: 100 };
  node = await fixture.another({ config: { manager_auth: 'PKI', limits } });
});
afterAll(async () => {
  await enrolment.close();
  await node.close();
  await fixture.close();
});

const proxy = '10.0.0.5';
const der = (pem: string) => new X509Certificate(pem).raw.toString('base64');
const status = JSON.stringify({ jsonrpc: '2.0', method: 'Server_Status', id: 0 });

/** The HTTP status of a call with the administrator's password. */
async function ask(headers: Record<string, string>, peer: { address: string; certificate?: string }) {
  const handler = behindProxies(createManagerHandler(node.service), {
    ...{ proxies: [proxy], headers: { address: 'X-Forwarded-For', certificate: 'Client-Cert' } },
    ...{ ca: fixture.authority.certificate, clock: fixture.clock },
  });
  const request = new Request('https://localhost/manag/', {
    ...{ method: 'POST', body: status },
    headers: { authorization: basic(fixture.admin), 'x-forwarded-for': '192.0.2.7', ...headers },
  });
  const { address, certificate: pem } = peer;
  const certificate = pem !== undefined && { certificate: { pem, authorized: true } };
  return (await handler(request, { address, port: 1, ...certificate })).status;
}

describe('an administrator behind a proxy', () => {
  it('is the one whose certificate the proxy passes on', async () => {
    const { certificate } = await enrolment.administrator();
    expect(await ask({ 'client-cert': `:${der(certificate)}:` }, { address: proxy })).toBe(200);
  });

  it('is not the one that the proxy itself shows', async () => {
    const { certificate } = await enrolment.administrator();
    expect(await ask({}, { address: proxy, certificate })).toBe(401);
  });

  it('is nobody by a header from elsewhere', async () => {
    const { certificate } = await enrolment.administrator();
    expect(await ask({ 'client-cert': `:${der(certificate)}:` }, { address: '10.0.0.6' })).toBe(401);
    expect(await ask({}, { address: '10.0.0.6', certificate })).toBe(200);
  });

  it('is nobody by a certificate that is revoked, of another authority or of another kind', async () => {
    const revoked = await enrolment.administrator();
    await enrolment.revoke(revoked.certificate);
    const forged = await enrolment.openssl.certify(`/CN=${fixture.admin.dn}/description=ADMIN`);
    const system = await enrolment.sign(`/CN=vpn/description=CLIENT`);
    for (const { certificate } of [revoked, forged, system])
      expect(await ask({ 'client-cert': `:${der(certificate)}:` }, { address: proxy })).toBe(401);
  });
});
