/**
 * Accounts that may send SMS: those of the configuration, whose passwords are hashed by scrypt (RFC 7914), and calling systems whose API
 * key names this service. After a wrong password, the source is not judged for ten seconds.
 */
import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../administration/policy/caller.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { readScryptHash, type ScryptHash } from '../../foundation/text/secret/scrypt-hash.ts';
import type { Source } from '../../limits/source.ts';
import type { Store } from '../../ports/store/store.ts';

/** Credentials of an SMS account. */
export interface ShownAccount {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export interface AccountsView {
  readonly config: Pick<ServiceConfig, 'sms_accounts' | 'api_keys'>;
  readonly ephemeral: Pick<Store, 'get' | 'put'>;
  readonly names: { ours(word: string): string };
}

/** The pause after wrong credentials, in seconds. */
const pause = 10;

/** The account that sends; undefined: none. @param service the word of this service, ours */
export async function accountOf(
  { username, password }: ShownAccount,
  { caller, place, service }: { readonly caller: Caller; readonly place: Source; readonly service: string },
  { config, ephemeral, names }: AccountsView,
): Promise<string | undefined> {
  const key = caller.apiKey === undefined ? undefined : config.api_keys[caller.apiKey];
  if (username === undefined && password === undefined) {
    const isFor = key?.services?.some((word) => names.ours(word) === service) === true;
    return isFor ? `key:${caller.apiKey}` : undefined;
  }
  const paused = `sms-paused:${place.id}`;
  if (await ephemeral.get(paused)) return undefined;
  if (username !== undefined && password !== undefined && (await isRight(username, password, config)))
    return username;
  await ephemeral.put(paused, Uint8Array.of(1), pause);
  return undefined;
}

/** A name that nobody has takes as long as one that somebody has. */
async function isRight(
  username: string,
  password: string,
  { sms_accounts }: AccountsView['config'],
): Promise<boolean> {
  const row = Object.hasOwn(sms_accounts, username) ? sms_accounts[username] : undefined;
  const known = row && readScryptHash(row.hash);
  const hashed = await derive(password, known ?? nobodys);
  return timingSafeEqual(hashed, (known ?? nobodys).hash) && known !== undefined;
}

/** A hash that no password has. */
const nobodys: ScryptHash = { ln: 15, r: 8, p: 1, salt: Buffer.alloc(16), hash: Buffer.alloc(32) };

const derive = (password: string, { ln, r, p, salt, hash }: ScryptHash): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const costs = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln };
    scrypt(password, salt, hash.length, costs, (error, key) => (error ? reject(error) : resolve(key)));
  });
