/**
 * The Manager floor: node:https, JSON-RPC, a session for each caller and one read with ldapts on a connection that is
 * bound as the administrator who asks. No rights, no batches, no other method.
 * Configuration: {urls, ca} as of an LDAP directory, and the PEM file `tls`.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { Client } from 'ldapts';

const config = JSON.parse(readFileSync(process.argv.at(-1), 'utf8'));
const lifetime = 300_000;
/** By cookie: {ldap, ends}. */
const sessions = new Map();

const methods = {
  Get_Random_Bytes: ({ length }) => randomBytes(length).toString('base64'),
  Get_User_Attrs: async ({ dn, attrs }, { ldap }) => {
    const { searchEntries } = await ldap.search(dn, { scope: 'base', attributes: attrs });
    const { dn: _, ...attributes } = searchEntries[0];
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), [].concat(value)]),
    );
  },
};

async function sessionOf({ headers }) {
  const session = sessions.get(headers.cookie);
  if (session !== undefined && session.ends > Date.now()) {
    session.ends = Date.now() + lifetime;
    return { session };
  }
  const [, basic = ''] = (headers.authorization ?? '').split(' ');
  const [dn, password] = Buffer.from(basic, 'base64').toString().split(/:(.*)/s);
  const ldap = new Client({ url: config.urls[0], tlsOptions: { ca: readFileSync(config.ca) } });
  await ldap.bind(dn, password);
  const cookie = `SVCMANAG=${randomBytes(24).toString('hex')}`;
  const begun = { ldap, ends: Date.now() + lifetime };
  sessions.set(cookie, begun);
  return { session: begun, cookie };
}

async function answer(request, body) {
  const { session, cookie } = await sessionOf(request);
  const { id, method, params } = JSON.parse(body);
  const text = JSON.stringify({ jsonrpc: '2.0', id, result: await methods[method](params, session) });
  if (request.headers.connection === 'close') {
    sessions.delete(request.headers.cookie);
    await session.ldap.unbind();
  }
  return { text, cookie };
}

const pem = readFileSync(config.tls, 'utf8');
const server = createServer({ cert: pem, key: pem, minVersion: 'TLSv1.2' }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { text, cookie } = await answer(request, Buffer.concat(chunks));
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    response.writeHead(200, { ...headers, ...(cookie && { 'set-cookie': `${cookie}; Secure; HttpOnly` }) });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listens on https://127.0.0.1:${server.address().port}/\n`),
);
process.once('SIGTERM', () => process.exit());
