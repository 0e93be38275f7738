/**
 * A certificate and its key in one file of the data folder: whenever and however often the servers start, they
 * belong together.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { StartError } from '@watchword/core/foundation';
import { codeOf, createFileExclusively, readTextFile, whyUnreadable } from '@watchword/node';

/** PEM texts. */
export interface Pair {
  /** The certificate, followed by intermediates. */
  readonly certificate: string;
  readonly key: string;
}

/** The form of the key in the file. */
export interface KeyForm {
  /** The block of a key in PEM. */
  write(key: string): string;
  /** The key in PEM; undefined if there is none in the text. */
  read(text: string): string | undefined;
}

export const plainKey: KeyForm = {
  write: (key) => key,
  read: (text) => /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----\n?/.exec(text)?.[0],
};

/** Two servers that start at once make one each; both take the one that was there first. */
export async function ensurePair(
  path: string,
  { form, make }: { form: KeyForm; make: () => Promise<Pair> },
): Promise<Pair> {
  const text = readIfThere(path);
  if (text !== undefined) return parsePair(text, path, form);
  createFileExclusively(path, formatPair(await make(), form));
  return readPair(path, form);
}

/** @throws StartError if it is damaged */
export const readPair = (path: string, form: KeyForm): Pair =>
  parsePair(readFileSync(path, 'utf8'), path, form);

export const formatPair = ({ certificate, key }: Pair, form: KeyForm): string =>
  `${certificate.trim()}\n${form.write(key).trim()}\n`;

function parsePair(text: string, path: string, form: KeyForm): Pair {
  const [certificate] = /(?:-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*)+/.exec(text) ?? [];
  const key = form.read(text);
  if (certificate !== undefined && key !== undefined && belongTogether(certificate, key))
    return { certificate, key };
  throw new StartError(
    `${basename(path)} in the data folder is damaged; restore it from a backup, or remove it, and a new one is made.`,
  );
}

function belongTogether(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // what does not parse belongs to nothing
  }
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file that the configuration names. @param options as {@link readTextFile} takes them @throws StartError */
export function readNamed(path: string, options = { isLenient: true }): string {
  try {
    return readTextFile(path, options);
  } catch (cause) {
    throw new StartError(`${path} cannot be read (${whyUnreadable(cause)}).`, { cause });
  }
}

/** Runs work on the data folder; what the system refuses becomes a sentence. @throws StartError */
export async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const why = whyUnreadable(cause);
    throw new StartError(
      `The certificates in the data folder ${folder} cannot be read or written (${why}).`,
      { cause },
    );
  }
}
