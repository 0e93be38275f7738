/**
 * Every method and every operation of what was packed, called once with the example of the reference: what a bundle lacks, it
 * lacks where it is first used, and answers as an internal error.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  manager = await installation.serve('watchword-manager', ...configuration);
  web = await installation.serve('watchword-ws', ...configuration);
  ca = await readFile(join(installation.folder, 'data', 'ca.pem'));
});
afterAll(async () => {
  const ended = await Promise.all([manager.stop(), web.stop()]);
  await installation.close();
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
});

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

it.each(methods)('$name is answered', async ({ name, examples: [{ params }] }) => {
  await makeAlice();
  const answer = await call(name, Object.fromEntries(params.map((param) => [param.name, param.value])));
  expect(JSON.stringify(answer)).not.toContain('Internal error');
  expect('result' in answer || 'error' in answer).toBe(true);
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
