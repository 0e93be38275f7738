/**
 * OCRA (RFC 6287): codes of a secret and of the inputs that a suite names: counter, question, PIN, session, time.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto';
import { truncated } from './truncation.ts';

type Hash = 'sha1' | 'sha256' | 'sha512';

/** A parsed suite (RFC 6287 §6). */
export interface OcraSuite {
  /** The suite as written, which is hashed, too. */
  readonly text: string;
  readonly hash: Hash;
  /** 4 to 10, or 0 for the whole HMAC. */
  readonly digits: number;
  readonly hasCounter: boolean;
  readonly question: OcraQuestion;
  /** The hash of the PIN; undefined without a PIN. */
  readonly pin?: Hash | undefined;
  /** Bytes of the session; undefined without a session. */
  readonly session?: number | undefined;
  /** Seconds of a time step; undefined without a time. */
  readonly period?: number | undefined;
}

export interface OcraQuestion {
  /** Alphanumeric, numeric or hexadecimal. */
  readonly format: 'A' | 'N' | 'H';
  /** The maximum length in characters, 4 to 64. */
  readonly length: number;
}

/** The inputs of a code; those that the suite does not name are ignored. */
export interface OcraInput {
  readonly counter?: number | undefined;
  readonly question: string;
  readonly pin?: string | undefined;
  /** Bytes of the session, or its text in UTF-8. */
  readonly session?: Uint8Array | undefined;
  /** Milliseconds since 1970. */
  readonly time?: number | undefined;
}

/** The grammar of RFC 6287 §6.1 and §6.3. */
const suiteForm =
  /^OCRA-1:HOTP-SHA(1|256|512)-(0|[4-9]|10):(C-)?Q([ANH])([0-9]{2})(?:-P(SHA(?:1|256|512)))?(-S[0-9]{0,3})?(?:-T([0-9]{1,2})([SMH]))?$/;

const secondsOf = { S: 1, M: 60, H: 3600 } as const;
const mostOf = { S: 59, M: 59, H: 48 } as const;

/** Bytes of a session without a length (RFC 6287 §6.3). */
const usualSession = 64;

/** Parses a suite; undefined where it is invalid. */
export function parseSuite(text: string): OcraSuite | undefined {
  const found = suiteForm.exec(text.toUpperCase());
  if (!found) return undefined;
  const [, hashed, digits, counter, format, length, pin, session, steps, unit] = found;
  const question = { format: format as OcraQuestion['format'], length: Number(length) };
  if (question.length < 4 || question.length > 64) return undefined;
  const bytes =
    session === undefined ? undefined : session === '-S' ? usualSession : Number(session.slice(2));
  if (bytes !== undefined && (bytes < 1 || bytes > 512)) return undefined;
  const period = unit === undefined ? undefined : periodOf(Number(steps), unit as keyof typeof mostOf);
  if (unit !== undefined && period === undefined) return undefined;
  return {
    ...{
      text,
      hash: `sha${hashed}` as Hash,
      digits: Number(digits),
      hasCounter: counter !== undefined,
      question,
    },
    ...{ pin: pin?.toLowerCase() as Hash | undefined, session: bytes, period },
  };
}

function periodOf(steps: number, unit: keyof typeof mostOf): number | undefined {
  return steps >= 1 && steps <= mostOf[unit] ? steps * secondsOf[unit] : undefined;
}

/** Returns whether a text can be the question of a suite. Concatenated questions may be longer than the suite says, up to 64. */
export function isQuestion(
  text: string,
  { question: { format, length } }: Pick<OcraSuite, 'question'>,
): boolean {
  const letters = { A: /^[A-Za-z0-9]+$/, N: /^[0-9]+$/, H: /^[0-9A-Fa-f]+$/ }[format];
  return text.length <= Math.max(length, 64) && letters.test(text);
}

/** Computes a code (RFC 6287 §5.2, §7): decimal digits, or the whole HMAC in hexadecimal where the suite has 0 digits. */
export function ocra(secret: KeyObject, suite: OcraSuite, input: OcraInput): string {
  const digest = createHmac(suite.hash, secret).update(messageOf(suite, input)).digest('hex');
  return suite.digits === 0 ? digest : truncated(digest, suite.digits).toString('latin1');
}

/** Builds the data input (RFC 6287 §5.1). */
const messageOf = (
  suite: OcraSuite,
  { counter = 0, question, pin = '', session, time = 0 }: OcraInput,
): Buffer =>
  Buffer.concat([
    Buffer.from(`${suite.text}\0`, 'latin1'),
    ...(suite.hasCounter ? [uint64(counter)] : []),
    questionBytes(question, suite.question),
    ...(suite.pin ? [hash(suite.pin, pin, 'buffer')] : []),
    ...(suite.session === undefined ? [] : [padded(Buffer.from(session ?? []), suite.session, 'left')]),
    ...(suite.period === undefined ? [] : [uint64(Math.floor(time / 1000 / suite.period))]),
  ]);

/** Encodes a question in 128 bytes, with zeros at the end; a decimal number is turned into hexadecimal. */
function questionBytes(question: string, { format }: OcraQuestion): Buffer {
  if (format === 'A') return padded(Buffer.from(question, 'latin1'), 128, 'right');
  const digits = format === 'N' ? BigInt(question || '0').toString(16) : question;
  return Buffer.from(digits.padEnd(256, '0').slice(0, 256), 'hex');
}

/** Pads bytes with zeros, or cuts them. @param side of the zeros */
function padded(bytes: Buffer, length: number, side: 'left' | 'right'): Buffer {
  const whole = Buffer.alloc(length);
  const kept = bytes.subarray(0, length);
  kept.copy(whole, side === 'right' ? 0 : length - kept.length);
  return whole;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
