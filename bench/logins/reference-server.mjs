/**
 * What logins are compared with: a plain handler of node:https that searches the user and checks password and code
 * with ldapts. It stores nothing, so that a code is good again and again, writes no audit, and counts no failures.
 * Configuration: {urls, ca, bind_dn, bind_password, connections} as of an LDAP directory, and the PEM file `tls`.
 */
import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { Client, InvalidCredentialsError } from 'ldapts';
import { base, codeOf, period } from './users.mjs';

const config = JSON.parse(readFileSync(process.argv.at(-1), 'utf8'));
/** Steps either way, as by the setting `Otp.TOTPTimeOffsetWindow`. */
const window = 4;

const newClient = () => new Client({ url: config.urls[0], tlsOptions: { ca: readFileSync(config.ca) } });
/** Searches share these; each of the others checks one password at a time. */
const searching = Array.from({ length: config.connections }, newClient);
const idle = Array.from({ length: config.connections }, newClient);
const waiting = [];
for (const client of searching) await client.bind(config.bind_dn, config.bind_password);

let turn = 0;

async function logIn({ username, ldapPassword, otpPassword }) {
  const dn = await findUser(username);
  if (dn === undefined || !(await isPassword(dn, ldapPassword))) return false;
  return isCode(username, otpPassword);
}

async function findUser(username) {
  const escaped = username.replace(/[*()\\\0]/g, (c) => `\\${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const client = searching[turn++ % searching.length];
  const { searchEntries } = await client.search(base, {
    scope: 'sub',
    filter: `(uid=${escaped})`,
    attributes: ['webadmData'],
  });
  return searchEntries.length === 1 ? searchEntries[0].dn : undefined;
}

async function isPassword(dn, password) {
  const client = idle.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
  try {
    await client.bind(dn, password);
    return true;
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false;
    throw error;
  } finally {
    const next = waiting.shift();
    if (next) next(client);
    else idle.push(client);
  }
}

function isCode(username, code) {
  const now = Math.floor(Date.now() / 1000 / period);
  const steps = Array.from({ length: 2 * window + 1 }, (_, off) => now - window + off);
  const matches = steps.map((step) => isSame(codeOf(Number(username.slice(4)), step), code));
  return matches.includes(true);
}

const isSame = (a, b) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

const pem = readFileSync(config.tls, 'utf8');
const server = createServer({ cert: pem, key: pem, minVersion: 'TLSv1.2' }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const granted = await logIn(JSON.parse(Buffer.concat(chunks)));
    const body = JSON.stringify({ code: granted ? 1 : 0 });
    response.setHeader('content-type', 'application/json');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listens on https://127.0.0.1:${server.address().port}/\n`),
);
process.once('SIGTERM', () => process.exit());
