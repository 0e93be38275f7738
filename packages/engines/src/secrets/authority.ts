/**
 * The certificate authority of an installation: the one that its configuration names, or one of its own, made at
 * the first start and kept in the data folder with its key sealed by the key ring.
 */
import { X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ServerConfig } from '@watchword/core';
import { formatTimestamp, StartError } from '@watchword/core/foundation';
import type { CertificateAuthority, KeyRing, SealedCollection, SealedItem } from '@watchword/core/ports';
import { replaceFile, systemClock, systemRandom } from '@watchword/node';
import {
  ensurePair,
  formatPair,
  inFolder,
  type KeyForm,
  type Pair,
  plainKey,
  readIfThere,
  readNamed,
  readPair,
} from './pair-file.ts';

/** Names in the data folder. */
export const authorityFiles = {
  /** The authority's certificate alone, for clients to trust. */
  certificate: 'ca.pem',
  /** Certificate and key. */
  pair: 'ca-key.pem',
} as const;

const days = 3650;
const ports = { clock: systemClock, random: systemRandom };

/** The parts of configuration and engines that determine the authority. */
export interface AuthorityPlace {
  readonly config: Pick<ServerConfig, 'data' | 'ca'>;
  readonly keys: KeyRing;
}

/** Reads or makes the authority, and writes its certificate into the data folder. @throws StartError if it cannot be read or made */
export async function ensureAuthority({ config, keys }: AuthorityPlace): Promise<Pair> {
  const { data, ca } = config;
  return inFolder(data, async () => {
    const pair = readNamedAuthority(ca) ?? (await ownAuthority(data, { keyType: ca.key_type, keys }));
    const path = join(data, authorityFiles.certificate);
    if (readIfThere(path) !== pair.certificate) replaceFile(path, pair.certificate);
    return pair;
  });
}

/** @throws StartError, as `ensureAuthority` does, and if it is no authority that can sign */
export async function openInstalledAuthority(place: AuthorityPlace): Promise<CertificateAuthority> {
  return openPair(await ensureAuthority(place), place.config.ca);
}

type CaSettings = ServerConfig['ca'];

/**
 * Before what a data folder keeps goes to servers with another configuration.
 * @throws StartError if the authority that it names cannot sign, or is another than servers worked with in the folder
 */
export async function assertSameAuthority(folder: string, ca: CaSettings): Promise<void> {
  await checkNamedAuthority(ca);
  const path = join(folder, authorityFiles.certificate);
  const used = readIfThere(path);
  const { certificate } = ca;
  if (used === undefined || certificate === undefined) return;
  if (isSameAuthority(readNamed(certificate), used)) return;
  throw new StartError(
    `${certificate} is not the authority of ${folder}, so nothing that was signed there would be good any more. Put ${path} in its place, and its key in that of ${ca.key}: authority-key writes it, with the configuration of ${folder}.`,
  );
}

/** One that was renewed with its key goes on. */
function isSameAuthority(one: string, other: string): boolean {
  try {
    const [mine, theirs] = [new X509Certificate(one), new X509Certificate(other)];
    return mine.subject === theirs.subject && mine.publicKey.equals(theirs.publicKey);
  } catch {
    return false; // what does not parse is none
  }
}

/**
 * Judges the authority that the configuration names, if it names one; nothing is written.
 * @returns a warning, a sentence, where it ends within the year that certificates are signed for
 * @throws StartError if it cannot sign
 */
export async function checkNamedAuthority(ca: CaSettings): Promise<readonly string[]> {
  const pair = readNamedAuthority(ca);
  if (!pair) return [];
  await openPair(pair, ca);
  const end = Date.parse(new X509Certificate(pair.certificate).validTo);
  if (end - systemClock.now() > 365 * 86_400_000) return [];
  return [
    `ca.certificate is good until ${formatTimestamp(end)} UTC, and so is what it signs; name another in time`,
  ];
}

/** Undefined: none is named. */
function readNamedAuthority({ certificate, key }: CaSettings): Pair | undefined {
  if (certificate === undefined || key === undefined) return undefined;
  return { certificate: readNamed(certificate), key: readNamed(key) };
}

async function openPair(pair: Pair, { certificate, key }: CaSettings): Promise<CertificateAuthority> {
  const { assertReadable, openAuthority } = await import('@watchword/pki');
  try {
    // Of one that somebody else has made, pkijs is asked at once as well.
    if (certificate !== undefined) await assertReadable(pair.certificate);
    return await openAuthority(pair, ports);
  } catch (error) {
    if (!(error instanceof StartError) || certificate === undefined) throw error;
    throw new StartError(
      `${error.message} It is that of ca.certificate, ${certificate}, and ca.key, ${key}.`,
      {
        cause: error,
      },
    );
  }
}

interface Own {
  readonly keyType: ServerConfig['ca']['key_type'];
  readonly keys: KeyRing;
}

/** The authority that was made in a data folder. @throws StartError if there is none, it is damaged, or the keys are others */
export async function readOwnAuthority(folder: string, keys: () => KeyRing): Promise<Pair> {
  return inFolder(folder, async () => {
    const path = join(folder, authorityFiles.pair);
    if (readIfThere(path) !== undefined) return readPair(path, sealedKey(keys()));
    throw new StartError(
      readIfThere(join(folder, authorityFiles.certificate)) === undefined
        ? `No authority was made in ${folder} yet; the first start makes it.`
        : `${path} is gone, or servers have worked with an authority that ca named; restore it from a backup, or take what ca named.`,
    );
  });
}

async function ownAuthority(folder: string, { keyType, keys }: Own): Promise<Pair> {
  const path = join(folder, authorityFiles.pair);
  const form = sealedKey(keys);
  const pair = await ensurePair(path, { form, make: () => makeAuthority(keyType) });
  // An earlier version left the key there in clear.
  if (plainKey.read(readIfThere(path) ?? '') !== undefined) replaceFile(path, formatPair(pair, form));
  return pair;
}

/** The key of the installation's own authority, as far as the key ring has sealed it. */
export function sealedAuthority({ data, keys }: { data: string; keys: KeyRing }): SealedCollection {
  const path = join(data, authorityFiles.pair);
  const form = sealedKey(keys);
  const sealedKeyFile = (sealed: Uint8Array): SealedItem => ({
    keys: [keys.keyIdOf(sealed)],
    name: async () => path,
    reseal: async () => {
      if (keys.keyIdOf(sealed) === keys.ids[0]) return [];
      try {
        // Nobody writes this file once it is there.
        replaceFile(path, formatPair(readPair(path, form), form));
        return [];
      } catch (error) {
        if (!(error instanceof StartError)) throw error;
        return [error.message];
      }
    },
  });
  return {
    name: path,
    items: async function* () {
      const sealed = sealedPart(readIfThere(path) ?? '');
      if (sealed !== undefined) yield [sealedKeyFile(sealed)];
    },
  };
}

/** Base64 of what the key ring has sealed; a key in clear is read as well. */
function sealedKey(keys: KeyRing): KeyForm {
  return {
    write: (key) => {
      const sealed = Buffer.from(keys.seal(Buffer.from(key), authorityFiles.pair)).toString('base64');
      const lines = sealed.match(/.{1,64}/g) ?? [];
      return ['-----BEGIN SEALED KEY-----', ...lines, '-----END SEALED KEY-----'].join('\n');
    },
    read: (text) => {
      const sealed = sealedPart(text);
      return sealed === undefined ? plainKey.read(text) : unseal(sealed, keys);
    },
  };
}

function sealedPart(text: string): Uint8Array | undefined {
  const [, sealed] = /-----BEGIN SEALED KEY-----([^-]+)-----END SEALED KEY-----/.exec(text) ?? [];
  return sealed === undefined ? undefined : Buffer.from(sealed, 'base64');
}

function unseal(sealed: Uint8Array, keys: KeyRing): string {
  try {
    return Buffer.from(keys.open(sealed, authorityFiles.pair)).toString('utf8');
  } catch (cause) {
    throw new StartError(
      `The key in ${authorityFiles.pair} cannot be opened with the keys of keys_file; restore both from one backup.`,
      { cause },
    );
  }
}

async function makeAuthority(keyType: Own['keyType']): Promise<Pair> {
  const { createAuthority } = await import('@watchword/pki');
  return createAuthority({ commonName: `Watchword CA of ${hostname()}`, days, keyType }, ports);
}
