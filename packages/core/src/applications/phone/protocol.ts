/**
 * The protocol by which phone and server prove to each other what is shown (docs/guide/transactions.md). Both have the secret of the
 * token. A proof is a response to a question by OCRA (RFC 6287), and the question is a digest of all that the user sees and says.
 */
import { createSecretKey, hash } from 'node:crypto';
import { type OcraSuite, ocra, parseSuite } from '../../foundation/oath/ocra.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';

/** The question to a user. */
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

/** Returns the question of a transaction. */
export const shownOf = ({
  session,
  state: { kind, challenge, issuer, client, data, fileDigest },
}: {
  readonly session: string;
  readonly state: Omit<Question, 'session'>;
}): Question => ({ kind, session, challenge, issuer, client, data, fileDigest });

/** The word of a proof. `show` is the server's, the others are the phone's; text beyond yes follows the word. */
export type ProofVerb = 'show' | 'confirm' | 'refuse' | `confirm ${string}`;

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
  word: ProofVerb,
  { kind, session, challenge, issuer, client, data, fileDigest }: Question,
): string =>
  digest(
    ['watchword-1', word, kind, session, challenge, digest(issuer), digest(client), digest(data)]
      .concat(fileDigest ?? '-')
      .join('\n'),
  );

/** 64 hexadecimal digits. */
export const proofOf = (word: ProofVerb, shown: Question, secret: Uint8Array): string =>
  ocra(createSecretKey(secret), whole, { question: question(word, shown) });

export const isProof = (proof: string, word: ProofVerb, shown: Question, secret: Uint8Array): boolean =>
  isSameSecret(Buffer.from(proof.toLowerCase()), Buffer.from(proofOf(word, shown, secret)));

/** Returns whether 8 typed digits are the `confirm` of a phone without a network. */
export const isTypedProof = (proof: string, shown: Question, secret: Uint8Array): boolean =>
  isSameSecret(
    Buffer.from(proof.replace(/\s/g, '')),
    Buffer.from(ocra(createSecretKey(secret), typed, { question: question('confirm', shown) })),
  );

/** Returns the name of a token on phones, 16 hexadecimal digits, which reveal nothing of the secret. */
export const tokenName = (secret: Uint8Array): string =>
  ocra(createSecretKey(secret), whole, { question: digest('watchword-1\nname') }).slice(0, 16);

/** Returns the key of an envelope with this salt, 64 hexadecimal digits. @param salt hexadecimal */
export const envelopeKey = (salt: string, secret: Uint8Array): string =>
  ocra(createSecretKey(secret), whole, { question: digest(`watchword-1\nencrypt\n${salt}`) });

/** A word of the URI: `length` characters of `[a-z0-9]` that stand for a text. */
export function wordOf(text: string, length: number): string {
  const number = BigInt(`0x${digest(text)}`).toString(36);
  return number.padStart(length, '0').slice(-length);
}
