/** The state of OpenID Connect in the store: sealed, under the hash of its id, so that a reader of the store cannot use it. */
import { hash } from 'node:crypto';
import { isAhead } from '../../../ports/clock.ts';
import type { KeyRing } from '../../../ports/keys.ts';
import type { OpenIdState } from '../../../ports/openid.ts';
import type { KeyState, Ledger } from '../../../ports/store/ledger.ts';

/** The family of the state in the store. */
export const openIdFamily = 'openid';

export interface OpenIdStateView {
  readonly store: Pick<Ledger, 'get' | 'put' | 'remove' | 'commit'>;
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
}

interface Kept {
  readonly payload: Record<string, unknown>;
  /** Used up, or not yet. */
  readonly isConsumed: boolean;
  /** The end, in milliseconds since 1970. */
  readonly ends: number;
}

/** Seconds for which a revoked grant is remembered, until all of it is over. */
const longest = 8 * 86_400;

/** A clock that was ahead has left what would last until its time has come. */
const isOver = ({ ends }: Kept, now: number): boolean => ends <= now || isAhead(ends - longest * 1000, now);

export function openIdState({ store, keys }: OpenIdStateView, clock: { now(): number }): OpenIdState {
  const read = (key: string, value: Uint8Array | undefined): Kept | undefined =>
    value && JSON.parse(Buffer.from(keys.open(value, key)).toString('utf8'));
  const sealed = (key: string, kept: Kept) => ({
    value: keys.seal(Buffer.from(JSON.stringify(kept)), key),
    seconds: Math.max(1, Math.ceil((kept.ends - clock.now()) / 1000)),
  });
  const consumed = (key: string, found: KeyState) => {
    const kept = read(key, found.value(key));
    if (!kept || kept.isConsumed) return { result: false };
    return { result: true, values: new Map([[key, sealed(key, { ...kept, isConsumed: true })]]) };
  };
  return {
    put: async (kind, id, payload, seconds) => {
      const key = keyOf(kind, id);
      const kept = { payload: { ...payload }, isConsumed: false, ends: clock.now() + seconds * 1000 };
      await store.commit({
        durable: [key],
        decide: () => ({ result: undefined, values: [[key, sealed(key, kept)]] }),
      });
    },
    get: async (kind, id) => {
      const key = keyOf(kind, id);
      const kept = read(key, await store.get(key));
      if (!kept || isOver(kept, clock.now())) return undefined;
      const { grantId } = kept.payload;
      if (typeof grantId === 'string' && (await store.get(keyOf('Revoked', grantId)))) return undefined;
      return { ...kept.payload, ...(kept.isConsumed && { consumed: true }) };
    },
    consume: async (kind, id) => {
      const key = keyOf(kind, id);
      return store.commit({ durable: [key], decide: (found) => consumed(key, found) });
    },
    remove: async (kind, id) => {
      await store.remove(keyOf(kind, id));
    },
    revoke: async (grant) => {
      const key = keyOf('Revoked', grant);
      const kept = { payload: {}, isConsumed: false, ends: clock.now() + longest * 1000 };
      await store.commit({
        durable: [key],
        decide: () => ({ result: undefined, values: [[key, sealed(key, kept)]] }),
      });
    },
  };
}

const keyOf = (kind: string, id: string): string => `${openIdFamily}:${hash('sha256', `${kind}:${id}`)}`;
