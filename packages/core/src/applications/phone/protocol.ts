/**
 * How a phone and this server prove to each other what is shown (docs/guide/transactions.md). Both have the secret of the token; a
 * proof is a response to a question by OCRA (RFC 6287), and the question is a digest of all that somebody sees and says.
 */
import { createSecretKey, hash } from 'node:crypto';
import { type OcraSuite, ocra, parseSuite } from '../../foundation/oath/ocra.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';

/** What somebody is asked. */
export interface Question {
  readonly kind: 'confirm' | 'sign' | 'login' | 'badge' | 'decrypt';
  /** The id of the session. */
  readonly session: string;
  /** 32 characters, of this session only. */
  readonly challenge: string;
  readonly issuer: string;
  readonly client: string;
  /** The text, HTML; empty: there is only a file. */
  readonly data: string;
  /** SHA-256 of the file, hexadecimal; undefined: there is none. */
  readonly fileDigest?: string | undefined;
}

/** What somebody is asked by a transaction, of all that is known of it. */
export const shownOf = ({
  session,
  state: { kind, challenge, issuer, client, data, fileDigest },
}: {
  readonly session: string;
  readonly state: Omit<Question, 'session'>;
}): Question => ({ kind, session, challenge, issuer, client, data, fileDigest });

/** `show` is the server's word, the others are the phone's: where it says more than yes, that stands behind it. */
export type Word = 'show' | 'confirm' | 'refuse' | `confirm ${string}`;

/** §6: the whole HMAC, and 8 digits for people who type them. */
const [whole, typed] = ['OCRA-1:HOTP-SHA256-0:QH64', 'OCRA-1:HOTP-SHA256-8:QH64'].map(known) as [
  OcraSuite,
  OcraSuite,
];

function known(text: string): OcraSuite {
  return parseSuite(text) as OcraSuite;
}

const digest = (text: string): string => hash('sha256', text);

/** One line for each, so that none of them runs into another: no field but the last two has one of its own. */
const question = (
  word: Word,
  { kind, session, challenge, issuer, client, data, fileDigest }: Question,
): string =>
  digest(
    ['watchword-1', word, kind, session, challenge, digest(issuer), digest(client), digest(data)]
      .concat(fileDigest ?? '-')
      .join('\n'),
  );

/** 64 hexadecimal digits. */
export const proofOf = (word: Word, shown: Question, secret: Uint8Array): string =>
  ocra(createSecretKey(secret), whole, { question: question(word, shown) });

export const isProof = (proof: string, word: Word, shown: Question, secret: Uint8Array): boolean =>
  isSameSecret(Buffer.from(proof.toLowerCase()), Buffer.from(proofOf(word, shown, secret)));

/** What a phone without a network shows, 8 digits; it says `confirm`. */
export const isTypedProof = (proof: string, shown: Question, secret: Uint8Array): boolean =>
  isSameSecret(
    Buffer.from(proof.replace(/\s/g, '')),
    Buffer.from(ocra(createSecretKey(secret), typed, { question: question('confirm', shown) })),
  );

/** What a phone calls its token by, 16 hexadecimal digits: it tells nobody the secret. */
export const tokenName = (secret: Uint8Array): string =>
  ocra(createSecretKey(secret), whole, { question: digest('watchword-1\nname') }).slice(0, 16);

/** Of an envelope, 64 hexadecimal digits: of this salt only. @param salt hexadecimal */
export const envelopeKey = (salt: string, secret: Uint8Array): string =>
  ocra(createSecretKey(secret), whole, { question: digest(`watchword-1\nencrypt\n${salt}`) });

/** A word of the URI: `length` characters of `[a-z0-9]` that stand for a text. */
export function wordOf(text: string, length: number): string {
  const number = BigInt(`0x${digest(text)}`).toString(36);
  return number.padStart(length, '0').slice(-length);
}
