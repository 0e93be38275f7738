/**
 * Every method and every operation of what was packed, called once with the example of the reference: what a bundle lacks, it
 * lacks where it is first used, and answers as an internal error.
 */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type SmsCentre,
  smppLogin,
  startSmsCentre,
} from '../../packages/gateways/src/smpp/testing/sms-centre.ts';
import {
  type MailServer,
  mailLogin,
  startMailServer,
} from '../../packages/gateways/src/smtp/testing/mail-server.ts';
import { type Installation, openInstallation, type Server } from './installation.ts';

const base = 'dc=example,dc=org';
const password = 'the first Pa55word';
const configuration = ['--config', 'watchword.yaml'];

interface OpenRpcMethod {
  readonly name: string;
  readonly examples: readonly [
    { readonly params: readonly { readonly name: string; readonly value: unknown }[] },
  ];
}

type Bodies = Readonly<Record<string, { readonly example?: Readonly<Record<string, unknown>> }>>;

const described = async (file: string) =>
  JSON.parse(await readFile(new URL(`../../docs/reference/${file}`, import.meta.url), 'utf8'));
const { methods }: { methods: readonly OpenRpcMethod[] } = await described('openrpc.json');
const { paths }: { paths: Readonly<Record<string, { post: { requestBody: { content: Bodies } } }>> } =
  await described('openapi.json');

let installation: Installation;
let manager: Server;
let web: Server;
let ca: Buffer;
beforeAll(async () => {
  installation = await openInstallation();
  await installation.write('first-password', `${password}\n`);
  const terms = ['--base', base, '--name', 'ada', '--password-file', 'first-password'];
  const made = await installation.run('watchword-manager', 'init', ...configuration, ...terms);
  expect(made).toMatchObject({ code: 0 });
  await addGateways();
  manager = await installation.serve('watchword-manager', ...configuration);
  web = await installation.serve('watchword-ws', '--config', 'web.yaml');
  ca = await readFile(join(installation.folder, 'data', 'ca.pem'));
});
afterAll(async () => {
  const ended = await Promise.all([manager.stop(), web.stop()]);
  await installation.close();
  await mailServer.close();
  await centre.close();
  gateway.closeAllConnections();
  gateway.close();
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
});

/** What went out over HTTP. */
const taken: string[] = [];
const gateway = createServer((asking, answer) => {
  text(asking).then((body) => {
    taken.push(body);
    answer.end('{}');
  });
});
let mailServer: MailServer;
let centre: SmsCentre;

/** Both gateways of messages, so that their adapters are loaded from the bundle and used. */
async function addGateways(): Promise<void> {
  mailServer = await startMailServer();
  centre = await startSmsCentre();
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const address = gateway.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await installation.write('mail-ca.pem', mailServer.ca);
  const { user, password: secret } = mailLogin;
  const mail = { type: 'smtp', host: 'localhost', port: mailServer.port, user, password: secret };
  const lines = [
    `mail: ${JSON.stringify({ ...mail, ca: 'mail-ca.pem', from: 'login@example.org' })}`,
    'trusted_callers: [127.0.0.1, "::1"]',
    'openid_clients: {wiki: {redirect_uris: ["https://wiki.example.com/"]}}',
    `sms: ${JSON.stringify({ type: 'smpp', host: '127.0.0.1', port: centre.port, security: 'none', allow_plain: true, ...smppLogin })}`,
  ];
  const before = await readFile(join(installation.folder, 'watchword.yaml'), 'utf8');
  const http = `push: {type: http, url: "http://127.0.0.1:${port}/", allow_plain: true, json: {to: "{to}", title: "{title}"}}`;
  await installation.write('watchword.yaml', `${before}\n${[...lines, http].join('\n')}\n`);
  // The other server has another gateway for push messages: each is loaded from a bundle.
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await installation.write('push.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const browsers = 'push: {type: web, subject: "mailto:ops@example.org", key_file: push.pem}';
  await installation.write('web.yaml', `${before}\n${[...lines, browsers].join('\n')}\n`);
}

async function post(url: URL, body: string, type: string): Promise<{ status: number; body: string }> {
  const auth = `ada:${password}`;
  const sent = request(url, { ca, method: 'POST', auth, headers: { 'content-type': type } });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, body: await text(answer) };
}

async function call(
  method: string,
  params: object,
): Promise<{ readonly result?: unknown; readonly error?: unknown }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await post(new URL('manag/', manager.url), body, 'application/json');
  return JSON.parse(answer.body);
}

/** Whom the examples are about; one of them removes her. */
async function makeAlice(): Promise<void> {
  const attrs = {
    objectclass: ['inetOrgPerson', 'webadmAccount'],
    cn: 'Alice',
    sn: 'A',
    userpassword: 'a Pa55word',
  };
  await call('Create_LDAP_Object', { dn: `uid=alice,ou=people,${base}`, attrs });
}

async function get(url: URL | string, cookies: readonly string[] = []) {
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ');
  const sent = request(new URL(url, web.url), { ca, headers: cookie === '' ? {} : { cookie } });
  sent.end();
  const [answer] = await once(sent, 'response');
  const { location = '', 'set-cookie': set = [] } = answer.headers;
  return { status: answer.statusCode, body: await text(answer), location, set };
}

it('OpenID Connect describes itself, has keys, and shows the page of a login', async () => {
  const { body } = await get('openid/.well-known/openid-configuration');
  const { authorization_endpoint: authorize, jwks_uri: jwks } = JSON.parse(body);
  expect(JSON.parse((await get(new URL(jwks).pathname)).body)).toMatchObject({ keys: [{ kty: 'RSA' }] });
  const asked = new URLSearchParams({
    ...{
      client_id: 'wiki',
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'https://wiki.example.com/',
    },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  });
  const begun = await get(`${new URL(authorize).pathname}?${asked}`);
  expect(begun).toMatchObject({ status: 303, location: expect.stringContaining('/openid/login/') });
  const page = await get(new URL(begun.location).pathname, begun.set);
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<h1>Log in</h1>') });
  const nobody = await get(new URL(begun.location).pathname);
  expect(nobody).toMatchObject({ status: 400, body: expect.stringContaining('Not possible') });
});

it.each(methods)('$name is answered', async ({ name, examples: [{ params }] }) => {
  await makeAlice();
  const answer = await call(name, Object.fromEntries(params.map((param) => [param.name, param.value])));
  expect(JSON.stringify(answer)).not.toContain('Internal error');
  expect('result' in answer || 'error' in answer).toBe(true);
});

it('a mail, an SMS and a push message arrive, the mail encrypted where a certificate is named', async () => {
  const [mails, messages] = [mailServer.taken.length, taken.length];
  const certificate = await readFile(join(installation.folder, 'data', 'ca.pem'), 'utf8');
  const mail = { to: 'alice@example.org', subject: 'Hello', body: 'The word is swordfish' };
  expect(await call('Send_Mail', mail)).toMatchObject({ result: 1 });
  expect(await call('Send_Mail', { ...mail, certificate })).toMatchObject({ result: 1 });
  expect(await call('Send_SMS', { to: '+491512345678', message: 'Hello' })).toMatchObject({ result: 1 });
  await expect.poll(() => mailServer.taken.length, { timeout: 30_000 }).toBe(mails + 2);
  const bodies = mailServer.taken.slice(mails).map(({ raw }) => raw);
  expect(bodies.filter((raw) => raw.includes('swordfish'))).toHaveLength(1);
  expect(bodies.filter((raw) => raw.includes('smime-type=enveloped-data'))).toHaveLength(1);
  await expect.poll(() => centre.taken.length, { timeout: 30_000 }).toBeGreaterThan(0);
  expect(centre.taken.at(-1)).toMatchObject({ destination_addr: '491512345678' });
  const push = { application: 'token', to: 'ios:abc', options: { title: 'Login' } };
  expect(await call('Send_Push', push)).toMatchObject({ result: 1 });
  await expect
    .poll(() => taken.slice(messages), { timeout: 30_000 })
    .toContainEqual('{"to":"ios:abc","title":"Login"}');
});

it.each(Object.entries(paths))(
  '%s is answered, and so over SOAP',
  async (path, { post: { requestBody } }) => {
    await makeAlice();
    const fields = requestBody.content['application/json']?.example ?? {};
    const rest = await post(new URL(path.slice(1), web.url), JSON.stringify(fields), 'application/json');
    expect(rest).toMatchObject({ status: 200, body: expect.stringContaining('"message"') });
    const [, word = '', , operation = ''] = path.split('/');
    const given = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
    const element = `<o:${operation} xmlns:o="urn:${word}">${given.join('')}</o:${operation}>`;
    const envelope = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${element}</e:Body></e:Envelope>`;
    const soap = await post(new URL(`${word}/`, web.url), envelope, 'text/xml');
    expect(soap).toMatchObject({ status: 200, body: expect.stringContaining(`${operation}Response`) });
  },
);
