/** The Manager as an object: a property for each method, whatever methods there are. */
import type { ManagerCalls } from '@watchword/core';
import type { Manager, Plan, PlannedCall, Settled } from './calls.ts';
import { withMethods } from './methods.ts';
import { type CallOptions, type ManagerOptions, readManagerOptions } from './options.ts';
import { type Request, request, settleAll, settleOne } from './wire/envelope.ts';
import { Exchange } from './wire/exchange.ts';

/**
 * A Manager to call. It connects when it is called first, and holds nothing that has to be closed.
 *
 * ```ts
 * const manager = createManager({ url: 'https://localhost:4443/manag/', username: 'admin', password });
 * const dn = await manager.Get_User_DN({ username: 'alice', domain: 'Default' });
 * ```
 * @throws TypeError for options that cannot be used
 */
export function createManager<Table extends ManagerCalls = ManagerCalls>(
  options: ManagerOptions,
): Manager<NoInfer<Table>> {
  const caller = new Caller(new Exchange(readManagerOptions(options)));
  const batches = {
    batch: async (plan: Planner, options?: CallOptions) =>
      (await caller.sendAll(plan(planning), options)).map(valueOf),
    batchSettled: async (plan: Planner, options?: CallOptions) => caller.sendAll(plan(planning), options),
  };
  // The table gives the types and the proxy the names: that they fit is for the server to say.
  return withMethods(batches, (call, options) => caller.send(call, options)) as Manager<NoInfer<Table>>;
}

type Planner = (manager: Plan) => readonly PlannedCall<unknown>[];

/** The same methods, but a call is only described. */
const planning = withMethods({}, (call) => call) as Plan;

class Caller {
  readonly #exchange: Exchange;
  #lastId = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  async send(call: PlannedCall<unknown>, options?: CallOptions): Promise<unknown> {
    const sent = this.#number(call);
    return valueOf(settleOne(sent, await this.#exchange.post(sent, options)));
  }

  /** Nothing to ask is nothing to send: JSON-RPC 2.0 §6 forbids an empty batch. */
  async sendAll(calls: readonly PlannedCall<unknown>[], options?: CallOptions): Promise<Settled<unknown>[]> {
    if (calls.length === 0) return [];
    const sent = calls.map((call) => this.#number(call));
    return settleAll(sent, await this.#exchange.post(sent, options));
  }

  #number(call: PlannedCall<unknown>): Request {
    this.#lastId += 1;
    return request(this.#lastId, call);
  }
}

/** @throws CallError that the call failed with */
function valueOf(settled: Settled<unknown>): unknown {
  if (settled.ok) return settled.value;
  throw settled.error;
}
