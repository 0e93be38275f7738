/**
 * A licence: a text signed by the issuer of licences (docs/guide/embedding.md#limit-it-by-a-licence). An unsigned or malformed one does
 * not count: {@link VerifiedLicense.verify} is the only way to make one.
 */
import { readLicenseContent, readLicenseFile } from '../../config/license.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import { parseTimestamp } from '../../foundation/text/timestamp.ts';
import type { License, LicenseContent } from '../../ports/license.ts';
import { decodeBase64 } from '../../table/schema/index.ts';
import { isSigned, readLicenseKey } from './signature.ts';

/** A licence as it comes. */
export interface SignedLicense {
  /** JSON: `{"license": "<base64 of a JSON text>", "signature": "<base64>"}`. */
  readonly license: string;
  /** The public key or certificate of the issuer, PEM. */
  readonly key: string;
  /** Names of both in messages, such as their paths. */
  readonly names?: { readonly license: string; readonly key: string };
}

const maxLength = 65_536;
const usualNames = { license: 'The licence', key: 'The key of the licence' };

export class VerifiedLicense implements License {
  readonly content: LicenseContent;
  readonly name: string;
  readonly #from: number;
  readonly #to: number;

  private constructor(content: LicenseContent, name: string) {
    this.content = content;
    this.name = name;
    this.#from = parseTimestamp(content.valid_from) ?? Number.NaN;
    this.#to = parseTimestamp(content.valid_to) ?? Number.NaN;
  }

  /**
   * Verifies the signature of a licence, and reads its content.
   * @param signed the JSON text of the licence, and the issuer's public key or certificate in PEM
   * @returns the licence, for the port `license` of `createService`
   * @throws StartError if it is not signed with the key, or cannot be understood
   * @see docs/guide/embedding.md#limit-it-by-a-licence
   * @example
   * ```ts
   * import { License, StartError } from '@watchword/core';
   *
   * try {
   *   License.verify({ license: '{}', key: 'no key' });
   * } catch (error) {
   *   console.log(error instanceof StartError); // true
   * }
   * ```
   */
  static verify({ license, key, names = usualNames }: SignedLicense): VerifiedLicense {
    const publicKey = readLicenseKey(key, names.key);
    const { text, signature } = readFile(license, names.license);
    if (!isSigned(text, signature, publicKey)) {
      throw new StartError(
        `${names.license} was not signed with the key of ${names.key}, or was changed since; ask whoever issued it for another copy.`,
      );
    }
    return new VerifiedLicense(readContent(text, names.license), names.license);
  }

  /** A user is active for all products. */
  get maximumUsers(): number | undefined {
    const limits = Object.values(this.content.products).flatMap(({ maximum_users: limit }) => limit ?? []);
    return limits.length === 0 ? undefined : Math.min(...limits);
  }

  lapse(now: number): string | undefined {
    const { valid_from, valid_to } = this.content;
    if (now < this.#from) return `is not valid before ${valid_from} UTC`;
    // The last second is one of its seconds. Written so that what is no number would close.
    return now < this.#to + 1000 ? undefined : `expired on ${valid_to} UTC`;
  }
}

interface LicenseBytes {
  readonly text: Uint8Array;
  readonly signature: Uint8Array;
}

function readFile(file: string, name: string): LicenseBytes {
  if (file.length > maxLength) {
    throw new StartError(`${name} is longer than ${maxLength} characters; name the file of a licence.`);
  }
  try {
    const read = readLicenseFile(JSON.parse(file));
    if (read) return { text: base64(read.license), signature: base64(read.signature) };
  } catch (cause) {
    throw noLicense(name, cause);
  }
  throw noLicense(name);
}

const base64 = (text: string): Uint8Array => decodeBase64(text, 'license');

const noLicense = (name: string, cause?: unknown): StartError =>
  new StartError(
    `${name} is not a licence, which has the form {"license": "<base64>", "signature": "<base64>"}; ask whoever issued it for another copy.`,
    { cause },
  );

function readContent(text: Uint8Array, name: string): LicenseContent {
  const content = readLicenseContent(parseText(text));
  if ('wrong' in content) {
    throw new StartError(
      `${name} lacks ${content.wrong}, or has one that is not understood; ask whoever issued it for another one.`,
    );
  }
  if (content.valid_to < content.valid_from) {
    throw new StartError(`${name} ends before it begins; ask whoever issued it for another one.`);
  }
  return content;
}

/** Parses JSON; undefined, which is no licence, for another text. */
function parseText(text: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(text).toString('utf8'));
  } catch {
    return undefined;
  }
}
