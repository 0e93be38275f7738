/** The table of webservices.md §2: all that clients send is understood, and what they are answered, letter by letter. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Echo, openEcho } from '../../testing/echo.ts';
import { type Fixture, openFixture } from '../../testing/fixture.ts';

let fixture: Fixture;
let echo: Echo;
beforeAll(async () => {
  fixture = await openFixture();
  echo = openEcho(fixture.core);
});
afterAll(() => fixture.close());

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const xsi = 'http://www.w3.org/2001/XMLSchema-instance';

const envelope = (body: string, header = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<s:Envelope xmlns:s="${soap}">${header}<s:Body>${body}</s:Body></s:Envelope>`;
const echoing = (fields: string) => envelope(`<otpEcho>${fields}</otpEcho>`);

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a body and gives what the operation got. */
async function understood(body: string | Uint8Array, { path = '/otp/', headers }: Sent = {}) {
  const answer = await echo.ask(path, { body, ...(headers && { headers }) });
  expect(answer.body).not.toContain('Fault');
  const [request, ...more] = echo.taken();
  expect(more).toEqual([]);
  return Object.fromEntries(Object.entries(request ?? {}).filter(([, value]) => value !== undefined));
}

async function faultOf(body: string | Uint8Array) {
  const answer = await echo.ask('/otp/', { body });
  expect(echo.taken()).toEqual([]);
  const [, code, text] =
    /<SOAP-ENV:Fault><faultcode>SOAP-ENV:(\w+)<\/faultcode><faultstring>([^<]*)</.exec(answer.body) ?? [];
  return { status: answer.status, code, text };
}

describe('a request', () => {
  const username = { username: 'alice' };

  it.each<[string, string, object]>([
    ['without a prefix', echoing('<username>alice</username>'), username],
    [
      'with the namespace of the WSDL',
      envelope('<n:otpEcho xmlns:n="urn:otp"><username>alice</username></n:otpEcho>'),
      username,
    ],
    [
      'with any other namespace',
      envelope('<x:otpEcho xmlns:x="http://example.com/"><username>alice</username></x:otpEcho>'),
      username,
    ],
    [
      'with a default namespace',
      envelope('<otpEcho xmlns="urn:otp"><username>alice</username></otpEcho>'),
      username,
    ],
    ['in another case', envelope('<OTPECHO><username>alice</username></OTPECHO>'), username],
    [
      'with qualified parameters',
      envelope('<n:otpEcho xmlns:n="urn:otp"><n:username>alice</n:username></n:otpEcho>'),
      username,
    ],
    ['with parameters in another case', echoing('<UserName>alice</UserName>'), username],
    [
      'with xsi:type',
      echoing(
        `<username xmlns:xsi="${xsi}" xmlns:xsd="http://www.w3.org/2001/XMLSchema" xsi:type="xsd:string">alice</username>`,
      ),
      username,
    ],
    [
      'with xsi:nil',
      echoing(`<domain xmlns:xsi="${xsi}" xsi:nil="true"/><username>alice</username>`),
      username,
    ],
    [
      'with xsi:nil as 1',
      echoing(`<domain xmlns:xsi="${xsi}" xsi:nil="1">x</domain><username>alice</username>`),
      username,
    ],
    [
      'with xsi of 1999',
      echoing(
        '<domain xmlns:xsi="http://www.w3.org/1999/XMLSchema-instance" xsi:null="1"/><username>alice</username>',
      ),
      username,
    ],
    [
      'with xsi:nil="false"',
      echoing(`<username xmlns:xsi="${xsi}" xsi:nil="false">alice</username>`),
      username,
    ],
    [
      'with parameters in another order',
      echoing('<password>p</password><username>alice</username>'),
      { ...username, password: 'p' },
    ],
    [
      'with unknown parameters',
      echoing('<apiVersion>3</apiVersion><username>alice</username><x><y/></x>'),
      username,
    ],
    ['with empty parameters', echoing('<domain/><password></password><username>alice</username>'), username],
    [
      'with no parameter that is known, by position',
      echoing('<arg0>alice</arg0><arg1/><param>p w</param>'),
      { ...username, password: 'p w' },
    ],
    ['with more places than fields', echoing('<a/><a/><a/><a/><a/><a/><a/><a>x</a><a/>'), {}],
    [
      'with CDATA',
      echoing('<password><![CDATA[<b>&amp;]]]]><![CDATA[></b>]]></password>'),
      { password: '<b>&amp;]]></b>' },
    ],
    [
      'with a whole page in CDATA',
      echoing('<password><![CDATA[<!DOCTYPE html><html>&nbsp;</html>]]></password>'),
      { password: '<!DOCTYPE html><html>&nbsp;</html>' },
    ],
    [
      'with HTML in entities',
      echoing('<password>&lt;p class=&quot;x&quot;&gt;&#228;&#x20AC;&apos;&lt;/p&gt;</password>'),
      { password: '<p class="x">ä€\'</p>' },
    ],
    ['with a comment in a value', echoing('<username>al<!-- no end -->ice</username>'), username],
    ['with white space in a value', echoing('<password>  p w \n</password>'), { password: '  p w \n' }],
    ['with a list', echoing('<mobile><String>1</String><String>2</String></mobile>'), { mobile: ['1', '2'] }],
    [
      'with a list of items of any name',
      echoing('<mobile>\n <item>1</item>\n <item>2</item>\n</mobile>'),
      { mobile: ['1', '2'] },
    ],
    ['with a list of one', echoing('<mobile>1</mobile>'), { mobile: ['1'] }],
    [
      'with a list said again and again',
      echoing('<mobile>1</mobile><mobile><String>2</String></mobile>'),
      { mobile: ['1', '2'] },
    ],
    [
      'with a header that may be passed over',
      envelope(
        '<otpEcho><username>alice</username></otpEcho>',
        '<s:Header><t xmlns="urn:t" s:mustUnderstand="0">x</t></s:Header>',
      ),
      username,
    ],
    [
      'with a header for somebody else',
      envelope(
        '<otpEcho><username>alice</username></otpEcho>',
        '<s:Header><t xmlns="urn:t" s:mustUnderstand="1" s:actor="urn:other"/></s:Header>',
      ),
      username,
    ],
    ['with bytes', echoing('<file>\n aGVs\n bG8=\n</file>'), { file: Buffer.from('hello') }],
    ['without anything', envelope('<otpEcho/>'), {}],
    [
      'without an XML declaration',
      `<Envelope xmlns="${soap}"><Body><otpEcho xmlns=""><username>alice</username></otpEcho></Body></Envelope>`,
      username,
    ],
  ])('%s', async (_, body, expected) => {
    expect(await understood(body)).toEqual(expected);
  });

  it.each([
    ['True', true],
    ['true', true],
    ['1', true],
    [' TRUE ', true],
    ['False', false],
    ['false', false],
    ['0', false],
  ])('with the boolean %s', async (text, expected) => {
    expect(await understood(echoing(`<sendPush>${text}</sendPush>`))).toEqual({ sendPush: expected });
  });

  it.each<[string, Record<string, string>]>([
    ['text/xml', { 'content-type': 'text/xml' }],
    ['text/xml in UTF-8', { 'content-type': 'text/xml; charset=UTF-8', soapaction: '"otpEcho"' }],
    ['application/xml', { 'content-type': 'application/xml;charset="utf-8"', soapaction: 'otpEcho' }],
    ['another charset', { 'content-type': 'text/xml; charset=iso-8859-1', soapaction: '""' }],
    ['a charset that it is not', { 'content-type': 'text/xml; charset=utf-16', soapaction: 'urn:nobody#x' }],
    ['no type', {}],
  ])('as %s', async (_, headers) => {
    expect(await understood(echoing('<username>ä</username>'), { headers })).toEqual({ username: 'ä' });
  });

  it.each(['/otp', '/otp/', '/OTP/'])('to %s', async (path) => {
    expect(await understood(echoing('<username>alice</username>'), { path })).toEqual(username);
  });

  it.each<[string, Uint8Array]>([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${echoing('<username>ä</username>')}`)],
    [
      'UTF-16',
      Buffer.from(`\ufeff${echoing('<username>ä</username>').replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ],
    ['ISO-8859-1', Buffer.from(echoing('<username>ä</username>').replace('UTF-8', 'iso-8859-1'), 'latin1')],
  ])('in %s', async (_, body) => {
    expect(await understood(body)).toEqual({ username: 'ä' });
  });

  it('in what the charset says, where nothing else does', async () => {
    const body = Buffer.from(echoing('<username>ä</username>').replace(/<\?.*\?>\n/, ''), 'latin1');
    const headers = { 'content-type': 'text/xml; charset=ISO-8859-1' };
    expect(await understood(body, { headers })).toEqual({ username: 'ä' });
  });
});

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
    expect(await echo.ask('/otp/', { body: envelope('<otpFly/>') })).toEqual({
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
      envelope(fine).replace(soap, 'http://www.w3.org/2003/05/soap-envelope'),
      'VersionMismatch',
      /SOAP 1\.1/,
    ],
    ['no namespace', `<Envelope><Body>${fine}</Body></Envelope>`, 'VersionMismatch', /SOAP 1\.1/],
    [
      'a header to be understood',
      envelope(fine, '<s:Header><t xmlns="urn:t" s:mustUnderstand="1"/></s:Header>'),
      'MustUnderstand',
      /: t$/,
    ],
    [
      'such a header for the next one',
      envelope(
        fine,
        `<s:Header><t xmlns="urn:t" s:mustUnderstand="true" s:actor="http://schemas.xmlsoap.org/soap/actor/next"/></s:Header>`,
      ),
      'MustUnderstand',
      /: t$/,
    ],
    ['an unknown operation', envelope('<hasOwnProperty/>'), 'Client', /no operation 'hasOwnProperty'/],
    ['an operation of another service', envelope('<ssoStart/>'), 'Client', /no operation/],
    ['no XML', 'username=alice', 'Client', /not well-formed XML/],
    ['JSON', '{"username": "alice"}', 'Client', /not well-formed XML/],
    ['nothing', '', 'Client', /not well-formed XML|empty/],
    ['another document', '<html><body/></html>', 'Client', /not a SOAP envelope/],
    ['an empty body', envelope(' '), 'Client', /SOAP body is empty/],
    ['no body', `<s:Envelope xmlns:s="${soap}"/>`, 'Client', /SOAP body is empty/],
    ['two operations', envelope(fine + fine), 'Client', /more than one/],
    ['values apart', envelope('<otpEcho><username href="#id1"/></otpEcho>'), 'Client', /references/],
  ])('for %s', async (_, body, code, text) => {
    expect(await faultOf(body)).toEqual({ status: 500, code, text: expect.stringMatching(text) });
  });
});
