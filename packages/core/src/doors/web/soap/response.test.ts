/** Responses as clients in the field rely on them, letter by letter, and faults. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Echo, envelopeOf, openEcho } from '../../../testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';

let fixture: Fixture;
let echo: Echo;
beforeAll(async () => {
  fixture = await openFixture();
  echo = openEcho(fixture.core);
});
afterAll(() => fixture.close());

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const echoing = (fields: string) => envelopeOf(`<otpEcho>${fields}</otpEcho>`);

async function faultOf(body: string | Uint8Array) {
  const response = await echo.ask('/otp/', { body });
  expect(echo.taken()).toEqual([]);
  const [, code, text] =
    /<SOAP-ENV:Fault><faultcode>SOAP-ENV:(\w+)<\/faultcode><faultstring>([^<]*)</.exec(
      String(response.body),
    ) ?? [];
  return { status: response.status, code, text };
}

describe('a response', () => {
  it('stands as clients in the field expect it', async () => {
    const body = echoing(
      '<mobile><String>1</String><String>&lt;</String></mobile><password>&lt;&amp;"\'&gt;&#13;</password><sendPush>1</sendPush><timeout>07</timeout><file>aGVsbG8</file>',
    );
    expect(await echo.ask('/otp/', { body })).toEqual({
      status: 200,
      headers: { 'content-type': 'text/xml; charset=utf-8', 'cache-control': 'no-store' },
      body: `<?xml version="1.0" encoding="UTF-8"?>
<SOAP-ENV:Envelope xmlns:SOAP-ENV="${soap}"><SOAP-ENV:Body><ns1:otpEchoResponse xmlns:ns1="urn:otp"><code>1</code><error/><password>&lt;&amp;&quot;'&gt;&#13;</password><timeout>7</timeout><sendPush>true</sendPush><file>aGVsbG8=</file><mobile><String>1</String><String>&lt;</String></mobile></ns1:otpEchoResponse></SOAP-ENV:Body></SOAP-ENV:Envelope>
`,
    });
  });

  it('tells a value that cannot be read in the words of the service', async () => {
    for (const fields of [
      '<timeout>soon</timeout>',
      '<username>a</username><USERNAME>b</USERNAME>',
      '<username><b>a</b><i>b</i></username>',
    ]) {
      const { status, body } = await echo.ask('/otp/', { body: echoing(fields) });
      expect([status, body]).toEqual([
        200,
        expect.stringContaining('<code>0</code><error>invalid_params</error>'),
      ]);
    }
  });

  it('of a failure inside tells nothing of it', async () => {
    const { status, body } = await echo.ask('/otp/', { body: echoing('<username>break</username>') });
    expect([status, body]).toEqual([
      200,
      expect.stringContaining('<code>0</code><error>internal</error></ns1'),
    ]);
    expect(body).not.toContain('secret');
    const { fields } = fixture.log.lines.find(({ level }) => level === 'error') ?? {};
    expect(fields).toMatchObject({
      operation: 'otpEcho',
      transaction: expect.stringMatching(/^[0-9A-Z]{8}$/),
    });
    echo.taken();
  });
});

describe('a fault', () => {
  it('stands as SOAP 1.1 says', async () => {
    expect(await echo.ask('/otp/', { body: envelopeOf('<otpFly/>') })).toEqual({
      status: 500,
      headers: { 'content-type': 'text/xml; charset=utf-8', 'cache-control': 'no-store' },
      body: `<?xml version="1.0" encoding="UTF-8"?>
<SOAP-ENV:Envelope xmlns:SOAP-ENV="${soap}"><SOAP-ENV:Body><SOAP-ENV:Fault><faultcode>SOAP-ENV:Client</faultcode><faultstring>Method not found: There is no operation 'otpFly'</faultstring><detail><reason>method_not_found</reason></detail></SOAP-ENV:Fault></SOAP-ENV:Body></SOAP-ENV:Envelope>
`,
    });
  });

  const fine = '<otpEcho/>';
  it.each<[string, string, string, RegExp]>([
    [
      'SOAP 1.2',
      envelopeOf(fine).replace(soap, 'http://www.w3.org/2003/05/soap-envelope'),
      'VersionMismatch',
      /SOAP 1\.1/,
    ],
    ['no namespace', `<Envelope><Body>${fine}</Body></Envelope>`, 'VersionMismatch', /SOAP 1\.1/],
    [
      'a header to be understood',
      envelopeOf(fine, '<s:Header><t xmlns="urn:t" s:mustUnderstand="1"/></s:Header>'),
      'MustUnderstand',
      /: t$/,
    ],
    [
      'such a header for the next one',
      envelopeOf(
        fine,
        `<s:Header><t xmlns="urn:t" s:mustUnderstand="true" s:actor="http://schemas.xmlsoap.org/soap/actor/next"/></s:Header>`,
      ),
      'MustUnderstand',
      /: t$/,
    ],
    ['an unknown operation', envelopeOf('<hasOwnProperty/>'), 'Client', /no operation 'hasOwnProperty'/],
    ['an operation of another service', envelopeOf('<ssoStart/>'), 'Client', /no operation/],
    ['no XML', 'username=alice', 'Client', /not well-formed XML/],
    ['JSON', '{"username": "alice"}', 'Client', /not well-formed XML/],
    ['nothing', '', 'Client', /not well-formed XML|empty/],
    ['another document', '<html><body/></html>', 'Client', /not a SOAP envelope/],
    ['an empty body', envelopeOf(' '), 'Client', /SOAP body is empty/],
    ['no body', `<s:Envelope xmlns:s="${soap}"/>`, 'Client', /SOAP body is empty/],
    ['two operations', envelopeOf(fine + fine), 'Client', /more than one/],
    ['values apart', envelopeOf('<otpEcho><username href="#id1"/></otpEcho>'), 'Client', /references/],
  ])('for %s', async (_, body, code, text) => {
    expect(await faultOf(body)).toEqual({ status: 500, code, text: expect.stringMatching(text) });
  });
});
