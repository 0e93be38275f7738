/**
 * What sshd asks which keys a user logs in with (`AuthorizedKeysCommand`): it asks Watchword, and prints the lines of
 * `authorized_keys`. While Watchword does not answer, it prints what it has answered before: signed, and for as long as the
 * configuration says. It needs Node 20 and nothing else.
 *
 *     node authorized-keys.mjs /etc/watchword-ssh/config.json alice
 */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

/**
 * @typedef {object} Configuration
 * @property {string} url where the web services are, with a slash at the end
 * @property {string} [ca] file of the authority to trust, PEM; left out: those that come with Node
 * @property {string} api_key_file file with the API key
 * @property {string} [domain] of the users; left out: the usual one
 * @property {string} folder where answers are kept, which nobody else writes to
 * @property {number} [timeout_seconds] how long an answer is waited for
 * @property {number} [keep_users_seconds] how long the keys of a user count without an answer; 0: not at all
 * @property {number} [keep_recovery_seconds] the same of recovery keys
 *
 * @typedef {{ readonly publicKeys: string, readonly backupKeys: string }} Keys lines of `authorized_keys`
 * @typedef {{ readonly kind: 'keys', readonly keys: Keys } | { readonly kind: 'refused' | 'down', readonly why: string }} Answer
 */

const [configurationFile = '', username = ''] = process.argv.slice(2);
if (username === '') stop('authorized-keys.mjs wants two words: the file of its configuration, and the user');
/** @type {Configuration} */
const configuration = JSON.parse(readFileSync(configurationFile, 'utf8'));
const apiKey = readFileSync(configuration.api_key_file, 'utf8').trim();
const { timeout_seconds = 5, keep_users_seconds = 3600, keep_recovery_seconds = 30 * 86_400 } = configuration;
/** A megabyte is more than all keys that there may be. */
const longestAnswer = 1_048_576;

const answer = await ask();
if (answer.kind === 'keys') {
  const { publicKeys, backupKeys } = answer.keys;
  keep(`user ${username}`, publicKeys);
  keep('recovery', backupKeys);
  print(publicKeys, backupKeys);
} else {
  process.stderr.write(`Watchword gives no keys of ${JSON.stringify(username)}: ${answer.why}\n`);
  // Whoever is refused as a system is told of no user; administrators come in all the same, to mend it.
  const users = answer.kind === 'down' ? kept(`user ${username}`, keep_users_seconds) : '';
  print(users, kept('recovery', keep_recovery_seconds));
}

/** @returns {Promise<Answer>} */
async function ask() {
  try {
    const { status, body } = await post({
      username,
      ...(configuration.domain && { domain: configuration.domain }),
    });
    if (status !== 200) return { kind: status >= 500 ? 'down' : 'refused', why: `HTTP ${status}` };
    const { code, error, publicKeys = '', backupKeys = '' } = JSON.parse(body);
    if (code === 1) return { kind: 'keys', keys: { publicKeys, backupKeys } };
    return { kind: error === 'ServerError' ? 'down' : 'refused', why: String(error) };
  } catch (error) {
    return { kind: 'down', why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @param {object} fields
 * @returns {Promise<{ readonly status: number, readonly body: string }>}
 */
function post(fields) {
  return new Promise((resolve, reject) => {
    const asked = request(new URL('sshkey/json/sshkeyAuthorizedKeys/', configuration.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      ...(configuration.ca && { ca: readFileSync(configuration.ca) }),
      signal: AbortSignal.timeout(timeout_seconds * 1000),
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        body += piece;
        if (body.length > longestAnswer) asked.destroy(new Error('the answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.end(JSON.stringify(fields));
  });
}

/** @param {...string} lines */
function print(...lines) {
  process.stdout.write(lines.map((text) => (text === '' ? '' : `${text}\n`)).join(''));
}

/**
 * Keeps an answer, whole or not at all. A folder that cannot be written to keeps nobody out now.
 * @param {string} what whose keys they are
 * @param {string} lines
 */
function keep(what, lines) {
  const text = JSON.stringify({ what, lines, at: Date.now() });
  const file = fileOf(what);
  try {
    const written = `${file}.${process.pid}`;
    const descriptor = openSync(written, 'w', 0o600);
    writeSync(descriptor, `${signature(text)}\n${text}`);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(written, file);
  } catch (error) {
    process.stderr.write(`The answer cannot be kept: ${error instanceof Error ? error.message : error}\n`);
  }
}

/**
 * What was kept; empty: nothing, nothing of ours, or it is too old.
 * @param {string} what
 * @param {number} seconds
 */
function kept(what, seconds) {
  try {
    const [signed = '', text = ''] = readFileSync(fileOf(what), 'utf8').split(/\n(.*)/s);
    const expected = Buffer.from(signature(text));
    const isOurs = signed.length === expected.length && timingSafeEqual(Buffer.from(signed), expected);
    const { what: named, lines, at } = isOurs ? JSON.parse(text) : {};
    // A clock that is behind, as after a power failure, keeps no administrator out, and prolongs nothing for users.
    const age = Math.max(Date.now() - at, what === 'recovery' ? 0 : -1);
    return named === what && age >= 0 && age < seconds * 1000 ? String(lines) : '';
  } catch {
    return '';
  }
}

/** @param {string} what */
function fileOf(what) {
  return join(configuration.folder, `${createHash('sha256').update(what).digest('hex')}.keys`);
}

/** By what only this program knows: the API key. @param {string} text */
function signature(text) {
  const key = Buffer.from(hkdfSync('sha256', apiKey, '', 'watchword-ssh: kept answers', 32));
  return createHmac('sha256', key).update(text).digest('hex');
}

/** @param {string} why @returns {never} */
function stop(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
