/**
 * Idempotency of requests: a request that a caller repeats with the same `retryId` and content, as it got no answer in time, is judged
 * once over all nodes. Only a keyed digest of the request is stored, and the answer encrypted.
 */

import type { Caller } from '../../administration/policy/caller.ts';
import type { OperationCall } from '../../applications/context/call.ts';
import type { Ports } from '../../ports/ports.ts';
import { Leases } from '../../ports/store/lease.ts';
import type { Fields, Values } from '../../table/operation.ts';
import type { NamedOperation } from './operations.ts';

/** Seconds for which an answer is repeated. */
const keptSeconds = 30;

/** The family of answers in the store. */
export const retryFamily = 'retry';

export class IdempotencyCache {
  readonly #core: Pick<Ports, 'store' | 'keys'>;
  readonly #leases: Leases;

  constructor(core: Pick<Ports, 'store' | 'keys' | 'clock'>) {
    this.#core = core;
    this.#leases = new Leases(core.store, core.clock);
  }

  /**
   * Runs an operation, or gives the answer that the same request had. Repeats that come meanwhile wait for it. What
   * throws is not kept: it may succeed the next time.
   */
  run(
    { ours, operation }: NamedOperation,
    fields: Values<Fields>,
    call: OperationCall,
  ): Promise<Values<Fields>> {
    const run = () => operation.run(fields, call);
    // Anybody else would fill the store with answers, or get one that was meant for another client with the same address.
    if (fields.retryId === undefined || !call.caller.trusted) return run();
    const request = JSON.stringify([ours, identityOf(call.caller), fields]);
    return this.#once(`${retryFamily}:${this.#core.keys.digest(request, 'retryId')}`, run);
  }

  #once(key: string, run: () => Promise<Values<Fields>>): Promise<Values<Fields>> {
    const { store, keys } = this.#core;
    return this.#leases.run(`lease:${key}`, async () => {
      const kept = await store.get(key);
      if (kept) return JSON.parse(Buffer.from(keys.open(kept, key)).toString('utf8'));
      const answer = await run();
      await store.put(key, keys.seal(Buffer.from(JSON.stringify(answer)), key), keptSeconds);
      return answer;
    });
  }
}

/** A key, or a certificate, is the same caller wherever it is used from. */
const identityOf = ({ apiKey, certificate, client, address }: Caller): readonly (string | null)[] => {
  const isShown = apiKey !== undefined || certificate !== undefined;
  return [apiKey ?? null, certificate ?? null, client ?? null, ...(isShown ? [] : [address])];
};
