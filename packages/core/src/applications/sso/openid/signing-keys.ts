/**
 * The signing keys of ID tokens (RFC 7517): generated, sealed in the store, shared by all nodes, and rotated. A new key is published a day
 * before it signs, and an old one as long as a token signed with it may be valid.
 */
import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { Clock } from '../../../ports/clock.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import type { JsonWebKey } from '../../../ports/openid.ts';
import { type Random, randomText } from '../../../ports/random.ts';
import type { KeyState, Ledger } from '../../../ports/store/ledger.ts';

/** The family of the keys in the store. */
export const openIdKeysFamily = 'openid-keys';

const key = `${openIdKeysFamily}:all`;
const day = 86_400_000;
/** The time for which a key signs, and the time before in which it is published, in milliseconds. */
const [signs, shownBefore] = [90 * day, day];

interface Kept {
  readonly jwk: JsonWebKey;
  /** The moment of creation, in milliseconds since 1970. */
  readonly made: number;
}

interface All {
  readonly keys: readonly Kept[];
  readonly cookieSecret: string;
}

export interface SigningKeysView {
  readonly store: Pick<Ledger, 'get' | 'commit'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

export interface SigningKeys {
  /** The one that signs first. */
  readonly keys: readonly JsonWebKey[];
  readonly cookieSecret: string;
}

/** Those in force now; made where there are none, and followed where they are old. @throws ServiceError `unavailable` */
export async function signingKeys(view: SigningKeysView): Promise<SigningKeys> {
  const now = view.clock.now();
  const found = read(await view.store.get(key), view);
  const all = found && !wantsNext(found, now) ? found : await withNext(view);
  const shown = all.keys.filter(({ made }) => now < made + 2 * signs + shownBefore);
  const signing = shown.filter(({ made }) => now >= made + shownBefore).at(-1) ?? shown[0];
  const others = shown.filter((one) => one !== signing);
  return {
    keys: [...(signing ? [signing] : []), ...others].map(({ jwk }) => jwk),
    cookieSecret: all.cookieSecret,
  };
}

const wantsNext = ({ keys }: All, now: number): boolean => now >= (keys.at(-1)?.made ?? 0) + signs;

/** Adds the next key; of nodes that do so at once one wins, and all have the same keys. */
async function withNext(view: SigningKeysView): Promise<All> {
  const now = view.clock.now();
  const kid = randomText(view.random, { length: 16, alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789' });
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
  const cookieSecret = Buffer.from(view.random.bytes(32)).toString('base64url');
  const decide = (before: KeyState) => {
    const found = read(before.value(key), view);
    if (found && !wantsNext(found, now)) return { result: found };
    const all: All = {
      keys: [...(found?.keys.slice(-2) ?? []), { jwk, made: now }],
      cookieSecret: found?.cookieSecret ?? cookieSecret,
    };
    const value = view.keys.seal(Buffer.from(JSON.stringify(all)), key);
    return { result: all, values: new Map([[key, { value, seconds: (4 * signs) / 1000 }]]) };
  };
  return view.store.commit({ durable: [key], decide });
}

const read = (value: Uint8Array | undefined, { keys }: Pick<SigningKeysView, 'keys'>): All | undefined =>
  value && JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));
