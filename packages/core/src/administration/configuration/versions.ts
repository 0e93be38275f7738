/**
 * The versions of the settings at run time. Each is a sealed value, as gateways have passwords in it; the number of the one in force is a value
 * of its own, which every request compares (`versionKey`).
 */

import type { ConfigSettings } from '../../config/runtime-settings.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Ledger } from '../../ports/store/ledger.ts';
import { endlessSeconds, type Store, versionIn, versionKey } from '../../ports/store/store.ts';

/** A version of the settings at run time. */
export interface ConfigVersion {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The DN of the administrator; or the command that made it. */
  readonly author: string;
  readonly comment: string;
  /** The paths that it changed: `clients.vpn`. */
  readonly changed: readonly string[];
  readonly settings: ConfigSettings;
}

/** The family of the sealed versions. */
export const versionFamily = 'configurations';

/** Versions that are kept; an older one is removed. */
export const mostVersions = 100;

/** The size of the settings of a version in bytes: 1,000 clients and 1,000 applications have half of it. */
const mostBytes = 1 << 20;

const keyOf = (number: number): string => `${versionFamily}:${number}`;

interface VersionPorts {
  readonly store: Pick<Store, 'get' | 'family'> & Pick<Ledger, 'commit'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Returns the number of the version in force; 0 before the first one. @throws ServiceError `unavailable` */
export const currentNumber = async ({ store }: { readonly store: Pick<Store, 'get'> }): Promise<number> =>
  Number(versionIn(await store.get(versionKey)));

/**
 * Reads a version; undefined where there is none of this number.
 * @throws ServiceError `unavailable`; `data_unreadable` where it was sealed under a key that is no longer in the ring
 */
export async function readVersion(
  number: number,
  { store, keys }: { readonly store: Pick<Store, 'get'>; readonly keys: Pick<KeyRing, 'open'> },
): Promise<ConfigVersion | undefined> {
  const key = keyOf(number);
  const sealed = await store.get(key);
  return sealed && parse(keys.open(sealed, key));
}

const parse = (bytes: Uint8Array): ConfigVersion => JSON.parse(Buffer.from(bytes).toString('utf8'));

/** Reads the version in force; the empty one before the first. @throws ServiceError as {@link readVersion} */
export async function readCurrent(
  ports: Omit<VersionPorts, 'clock'>,
): Promise<Pick<ConfigVersion, 'number' | 'settings'>> {
  const number = await currentNumber(ports);
  return (await readVersion(number, ports)) ?? { number, settings: {} };
}

/** Lists the versions, the newest first. @throws ServiceError as {@link readVersion} */
export async function listVersions({ store, keys }: VersionPorts): Promise<readonly ConfigVersion[]> {
  const found: ConfigVersion[] = [];
  for await (const page of store.family(versionFamily))
    for (const { key, value } of page) found.push(parse(keys.open(value, key)));
  return found.sort((one, other) => other.number - one.number);
}

/**
 * Puts a version in force, after the one that its author has seen.
 * @returns its number
 * @throws ServiceError `already_exists` where another one came before it; `too_large`; `unavailable`
 */
export async function putVersion(
  version: Omit<ConfigVersion, 'number' | 'time'>,
  before: number,
  { store, keys, clock }: VersionPorts,
): Promise<number> {
  const number = before + 1;
  const key = keyOf(number);
  const text = JSON.stringify({ ...version, number, time: clock.now() } satisfies ConfigVersion);
  const plain = Buffer.from(text, 'utf8');
  if (plain.length > mostBytes)
    throw new ServiceError('too_large', { detail: `the settings have more than ${mostBytes >> 10} kB` });
  const sealed = { value: keys.seal(plain, key), seconds: endlessSeconds };
  const inForce = { value: Buffer.from(String(number), 'latin1'), seconds: endlessSeconds };
  const oldest = keyOf(number - mostVersions);
  const isPut = await store.commit({
    durable: [versionKey, key, oldest],
    decide: (state) => {
      if (Number(versionIn(state.value(versionKey))) !== before) return { result: false };
      const values = new Map([
        [versionKey, inForce],
        [key, sealed],
        [oldest, null],
      ]);
      return { result: true, values };
    },
  });
  if (isPut) return number;
  throw new ServiceError('already_exists', {
    detail: 'the configuration was changed concurrently; read it again, and repeat the change',
  });
}
