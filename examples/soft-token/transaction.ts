/**
 * What a site asks on the phone (docs/guide/transactions.md): the server shows that it has the secret of the account, and so does this
 * program. A proof is a response to a question by OCRA (RFC 6287), and the question is a digest of what is shown and said.
 */
import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import type { Account } from './account.ts';
import { decodeBase32 } from './code.ts';

export interface Asked {
  readonly session: string;
  readonly kind: string;
  readonly issuer: string;
  readonly client: string;
  readonly data: string;
  readonly challenge: string;
  /** Base64. */
  readonly file?: string;
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** The suites `OCRA-1:HOTP-SHA256-0:QH64`, the whole HMAC, and `…-8:QH64`, eight digits. */
function respond({ secret }: Account, question: string, digits: 0 | 8): string {
  const input = [
    Buffer.from(`OCRA-1:HOTP-SHA256-${digits}:QH64\0`),
    Buffer.from(question.padEnd(256, '0'), 'hex'),
  ];
  const mac = createHmac('sha256', decodeBase32(secret)).update(Buffer.concat(input)).digest();
  if (digits === 0) return mac.toString('hex');
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1e8).padStart(8, '0');
}

function questionOf(word: string, asked: Asked): string {
  const { kind, session, challenge, issuer, client, data, file } = asked;
  const shown = [sha256(issuer), sha256(client), sha256(data)];
  const digest = file === undefined ? '-' : sha256(Buffer.from(file, 'base64'));
  return sha256(['watchword-1', word, kind, session, challenge, ...shown, digest].join('\n'));
}

/** The account, by a name that does not tell its secret. */
const nameOf = (account: Account): string => respond(account, sha256('watchword-1\nname'), 0).slice(0, 16);

async function post({ endpoint, user }: Account, body: object): Promise<Record<string, unknown>> {
  if (!endpoint?.startsWith('https:')) throw new Error('The account names no server that asks');
  const headers = { 'content-type': 'application/json' };
  const url = endpoint.replace(/mobile$/, 'transaction');
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...body, user }) });
  if (!response.ok) throw new Error(`${url} answers HTTP ${response.status}`);
  return response.json();
}

/** @param uri of a picture or a push message: only its session is believed @throws if nobody asks, or somebody else does */
export async function look(account: Account, uri: string): Promise<Asked> {
  const { protocol, searchParams } = new URL(uri);
  const session = searchParams.get('session') ?? '';
  if (protocol !== 'watchword:') throw new Error('The QR code is not that of a request');
  const { code, message, proof, ...rest } = await post(account, { session, token: nameOf(account) });
  if (code !== 2) throw new Error(String(message));
  const asked = { ...(rest as unknown as Asked), session };
  if (proof !== respond(account, questionOf('show', asked), 0))
    throw new Error('The request is not of the server that has this account');
  return asked;
}

/** @param location where the phone is, of a badging; empty: it does not tell */
export async function answer(
  account: Account,
  asked: Asked,
  word: 'confirm' | 'refuse',
  location = '',
): Promise<string> {
  const besides = word === 'confirm' ? besidesOf(account, asked, location) : {};
  const response = respond(account, questionOf([word, ...Object.values(besides)].join(' '), asked), 0);
  const said = { session: asked.session, token: nameOf(account), decision: word, response, ...besides };
  const { code, message } = await post(account, said);
  if (code !== 1) throw new Error(String(message));
  return String(message);
}

/** What stands behind the word: the key of what is to be opened, or where the phone is. */
function besidesOf(account: Account, { kind, file = '' }: Asked, location: string): Record<string, string> {
  if (kind === 'badge' && location !== '') return { location };
  return kind === 'decrypt' ? { key: keyOf(account, Buffer.from(file, 'base64')) } : {};
}

/** The response for an envelope, whose salt stands behind its 12 bytes of magic. */
const keyOf = (account: Account, envelope: Buffer): string =>
  respond(account, sha256(`watchword-1\nencrypt\n${envelope.toString('hex', 12, 28)}`), 0);

/** What is to be opened. @throws if it is not for this account */
export function opened(account: Account, { file = '' }: Asked): Buffer {
  const envelope = Buffer.from(file, 'base64');
  const begin = 41 + envelope.readUInt8(40) * 56;
  // For each token of the user: its name, and the key of the content.
  let slot = 41;
  while (slot < begin && envelope.toString('hex', slot, slot + 8) !== nameOf(account)) slot += 56;
  if (slot === begin) throw new Error('This is not for this account');
  const response = Buffer.from(keyOf(account, envelope), 'hex');
  const key = decrypt(envelope.subarray(slot + 8, slot + 56), response, Buffer.alloc(12));
  const nonce = envelope.subarray(28, 40);
  return decrypt(envelope.subarray(begin), key, nonce, envelope.subarray(0, begin));
}

function decrypt(sealed: Buffer, key: Buffer, nonce: Buffer, head = Buffer.alloc(0)): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(head).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}

/** For a phone without a network: what its user types where it is asked. */
export const digits = (account: Account, asked: Asked): string =>
  respond(account, questionOf('confirm', asked), 8);
