/** SOAP requests of clients in the field: every form that they send is understood. */
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
const xsi = 'http://www.w3.org/2001/XMLSchema-instance';

const echoing = (fields: string) => envelopeOf(`<otpEcho>${fields}</otpEcho>`);

interface Sent {
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a body and gives what the operation got. */
async function understood(body: string | Uint8Array, { path = '/otp/', headers }: Sent = {}) {
  const response = await echo.ask(path, { body, ...(headers && { headers }) });
  expect(response.body).not.toContain('Fault');
  const [request, ...more] = echo.taken();
  expect(more).toEqual([]);
  return Object.fromEntries(Object.entries(request ?? {}).filter(([, value]) => value !== undefined));
}

describe('a request', () => {
  const username = { username: 'alice' };

  it.each<[string, string, object]>([
    ['without a prefix', echoing('<username>alice</username>'), username],
    [
      'with the namespace of the WSDL',
      envelopeOf('<n:otpEcho xmlns:n="urn:otp"><username>alice</username></n:otpEcho>'),
      username,
    ],
    [
      'with any other namespace',
      envelopeOf('<x:otpEcho xmlns:x="http://example.com/"><username>alice</username></x:otpEcho>'),
      username,
    ],
    [
      'with a default namespace',
      envelopeOf('<otpEcho xmlns="urn:otp"><username>alice</username></otpEcho>'),
      username,
    ],
    ['in another case', envelopeOf('<OTPECHO><username>alice</username></OTPECHO>'), username],
    [
      'with qualified parameters',
      envelopeOf('<n:otpEcho xmlns:n="urn:otp"><n:username>alice</n:username></n:otpEcho>'),
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
    [
      'with the numbers of places as names, in any order',
      echoing('<param2>p w</param2><param0>alice</param0>'),
      { ...username, password: 'p w' },
    ],
    [
      'with the number of a place that no field has',
      echoing('<param7>x</param7><param0>alice</param0>'),
      username,
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
      envelopeOf(
        '<otpEcho><username>alice</username></otpEcho>',
        '<s:Header><t xmlns="urn:t" s:mustUnderstand="0">x</t></s:Header>',
      ),
      username,
    ],
    [
      'with a header for somebody else',
      envelopeOf(
        '<otpEcho><username>alice</username></otpEcho>',
        '<s:Header><t xmlns="urn:t" s:mustUnderstand="1" s:actor="urn:other"/></s:Header>',
      ),
      username,
    ],
    ['with bytes', echoing('<file>\n aGVs\n bG8=\n</file>'), { file: Buffer.from('hello') }],
    ['without anything', envelopeOf('<otpEcho/>'), {}],
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

  const umlaut = echoing('<username>ä</username>');
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>\n${umlaut}`;

  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(declared('utf-8'))],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${umlaut}`)],
    ['UTF-16', Buffer.from(`\ufeff${declared('UTF-16')}`, 'utf16le')],
    ['ISO-8859-1', Buffer.from(declared('iso-8859-1'), 'latin1')],
  ])('in %s', async (_, body) => {
    expect(await understood(body)).toEqual({ username: 'ä' });
  });

  it('in what the charset says, where nothing else does', async () => {
    const headers = { 'content-type': 'text/xml; charset=ISO-8859-1' };
    expect(await understood(Buffer.from(umlaut, 'latin1'), { headers })).toEqual({ username: 'ä' });
  });
});
