/**
 * The login floor: the least program that gives what a login has to give. A code is claimed and good once, wrong ones are
 * counted and stopped, each login is a record that names the hash of the one before, and success is answered when all of
 * this is on disk, as one change. All that wait for the disk share one commit. It knows no policies, groups or waiting.
 * Configuration: as of the reference server, and `data`, a folder.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { open } from 'lmdb';
import { base, codeOf, period } from '../logins/users.mjs';
import { bind, LdapConnection, searchUser } from './ldap-connection.mjs';

const config = JSON.parse(readFileSync(process.argv.at(-1), 'utf8'));
/** Steps either way; the likeliest are looked at first. */
const offsets = [0, 1, -1, 2, -2, 3, -3, 4, -4];
const mostWrong = 5;
const blockedFor = 60_000;

// A commit is on disk when it resolves.
const root = open({ path: config.data, overlappingSync: false, eventTurnBatching: false });
const accounts = root.openDB('accounts', { encoding: 'json' });
const events = root.openDB('events', { encoding: 'json', keyEncoding: 'uint32' });
const hashOf = (event) => createHash('sha256').update(event).digest('base64');
const [last] = events.getRange({ reverse: true, limit: 1 });
let [number, hash] = last ? [last.key + 1, hashOf(last.value)] : [0, ''];

/** Judgements of one user take turns: what is guessed at once counts as if one came after the other. */
const underWay = new Set();

const target = { url: config.urls[0], ca: readFileSync(config.ca) };
const opened = () => LdapConnection.open(target);
const searching = await opened();
await searching.send(bind(config.bind_dn, config.bind_password));
const idle = await Promise.all(Array.from({ length: config.connections }, opened));
const waiting = [];
const search = searchUser(base, 'webadmData');

async function logIn({ username, ldapPassword, otpPassword, source }) {
  const account = accounts.get(username) ?? { wrong: 0, last: 0, step: 0 };
  if (underWay.has(username) || isBlocked(account)) return settle({ username, source, outcome: 'refused' });
  underWay.add(username);
  try {
    const { dns } = await searching.send(search(username));
    const isUser = dns.length === 1 && (await isPassword(dns[0], ldapPassword));
    const step = isUser ? stepOf(username, otpPassword) : undefined;
    const outcome = step === undefined ? 'wrong' : 'granted';
    return await settle({ username, source, outcome, step });
  } finally {
    underWay.delete(username);
  }
}

const isBlocked = ({ wrong, last }) => wrong >= mostWrong && Date.now() - last < blockedFor;

async function isPassword(dn, password) {
  const connection = idle.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
  const { code } = await connection.send(bind(dn, password));
  const next = waiting.shift();
  if (next) next(connection);
  else idle.push(connection);
  return code === 0;
}

function stepOf(username, code) {
  const now = Math.floor(Date.now() / 1000 / period);
  const user = Number(username.slice(4));
  const offset = offsets.find((offset) => codeOf(user, now + offset) === code);
  return offset === undefined ? undefined : now + offset;
}

let gathered = [];
let isWriting = false;

/** Claim, blame and event as one change. @returns whether it is granted, once that is on disk */
function settle(login) {
  return new Promise((resolve, reject) => {
    gathered.push({ login, resolve, reject });
    if (!isWriting) writeAll();
  });
}

/** All that wait by now, and then those that have come meanwhile. */
async function writeAll() {
  isWriting = true;
  // Those that this turn of the loop brings come along.
  await new Promise(setImmediate);
  while (gathered.length > 0) {
    const all = gathered;
    const before = [number, hash];
    gathered = [];
    try {
      const granted = await root.childTransaction(() => all.map(({ login }) => write(login)));
      for (const [at, { resolve }] of all.entries()) resolve(granted[at]);
    } catch (error) {
      [number, hash] = before;
      for (const { reject } of all) reject(error);
    }
  }
  isWriting = false;
}

function write({ username, source, outcome, step }) {
  const account = accounts.get(username) ?? { wrong: 0, last: 0, step: 0 };
  const isClaimed = outcome === 'granted' && step > account.step;
  const time = Date.now();
  if (isClaimed) accounts.put(username, { wrong: 0, last: time, step });
  else if (outcome !== 'refused')
    accounts.put(username, { ...account, wrong: account.wrong + 1, last: time });
  const said = outcome === 'granted' && !isClaimed ? 'used before' : outcome;
  const event = JSON.stringify({ number, before: hash, time, username, source, outcome: said });
  events.put(number, event);
  hash = hashOf(event);
  number += 1;
  return isClaimed;
}

const pem = readFileSync(config.tls, 'utf8');
const server = createServer({ cert: pem, key: pem, minVersion: 'TLSv1.2' }, (request, response) => {
  const answer = (status, body) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, headers).end(body);
  };
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const login = JSON.parse(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    logIn(login).then(
      (granted) => answer(200, granted ? '{"code":1}' : '{"code":0}'),
      () => answer(503, '{"code":0}'),
    );
  });
});
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listens on https://127.0.0.1:${server.address().port}/\n`),
);
process.once('SIGTERM', () => process.exit());
