/** The Manager as an object: a property for each method, whatever methods there are. */
import type { ManagerCalls } from '@watchword/core';
import type { BatchPlan, DryRunManager, Manager, PlannedCall, Settled } from './calls.ts';
import { protocolError } from './errors.ts';
import { withMethods } from './methods.ts';
import { type CallOptions, type ManagerOptions, readManagerOptions } from './options.ts';
import { type Request, request, settleAll, settleOne } from './wire/envelope.ts';
import { Exchange } from './wire/exchange.ts';

/**
 * Creates a Manager to call. It connects at the first call, and holds nothing that has to be closed.
 * Each method takes its parameters and {@link CallOptions}.
 * @param options the address with `/manag/`, the credentials, and the time in milliseconds
 * @returns an object with every method, `batch` and `batchSettled`; each call throws a `CallError`
 * @throws TypeError for options that cannot be used
 * @see RFC 7617 §2
 * @see docs/guide/administering.md#call-it-from-typescript
 * @example
 * ```ts
 * import { createManager } from '@watchword/client';
 *
 * const password = process.env.PASSWORD ?? '';
 * const manager = createManager({ url: 'https://login.example.org:4443/manag/', username: 'admin', password });
 * const dn = await manager.Get_User_DN({ username: 'alice', domain: 'Default' });
 * await manager.Set_User_Settings({ dn, settings: { 'Otp.LoginMode': 'LDAPOTP' } });
 * ```
 */
export function createManager<Table extends ManagerCalls = ManagerCalls>(
  options: ManagerOptions,
): Manager<NoInfer<Table>> {
  // The table gives the types and the proxy the names: that they fit is for the server to say.
  return callable(new Caller(new Exchange(readManagerOptions(options)))) as Manager<NoInfer<Table>>;
}

/**
 * Creates a Manager whose calls are dry runs: each is judged, nothing is changed, and the answer is what would be.
 * The first call asks the server whether it knows dry runs. A call throws `protocol` where it does not.
 * @param options as {@link createManager} takes them
 * @returns an object with every method; each call throws a `CallError` as the real one would
 * @throws TypeError for options that cannot be used
 * @see docs/guide/administering.md#try-a-call-without-a-change
 * @example
 * ```ts
 * import { createDryRunManager } from '@watchword/client';
 *
 * const password = process.env.PASSWORD ?? '';
 * const dryRun = createDryRunManager({ url: 'https://login.example.org:4443/manag/', username: 'admin', password });
 * const { would } = await dryRun.Remove_LDAP_Object({ dn: 'uid=bob,ou=people,dc=example,dc=org' });
 * for (const step of would ?? []) console.log(step);
 * ```
 */
export function createDryRunManager<Table extends ManagerCalls = ManagerCalls>(
  options: ManagerOptions,
): DryRunManager<NoInfer<Table>> {
  const { headers, ...settings } = readManagerOptions(options);
  const exchange = new Exchange({ ...settings, headers: { ...headers, 'x-dry-run': '1' } });
  return callable(new DryRunCaller(exchange)) as DryRunManager<NoInfer<Table>>;
}

function callable(caller: Caller): object {
  const batches = {
    batch: async (plan: Planner, options?: CallOptions) =>
      (await caller.sendAll(plan(planning), options)).map(valueOf),
    batchSettled: async (plan: Planner, options?: CallOptions) => caller.sendAll(plan(planning), options),
  };
  return withMethods(batches, (call, options) => caller.send(call, options));
}

type Planner = (manager: BatchPlan) => readonly PlannedCall<unknown>[];

/** The same methods, but a call is only described. */
const planning = withMethods({}, (call) => call) as BatchPlan;

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

/** Calls nothing before it is sure that it is a dry run. */
class DryRunCaller extends Caller {
  #known: Promise<void> | undefined;

  override async send(call: PlannedCall<unknown>, options?: CallOptions): Promise<unknown> {
    await this.#assertKnown(options);
    return super.send(call, options);
  }

  override async sendAll(calls: readonly PlannedCall<unknown>[], options?: CallOptions) {
    await this.#assertKnown(options);
    return super.sendAll(calls, options);
  }

  /** Checks the options against the server's description; a failed look is repeated at the next call. */
  #assertKnown(options: CallOptions | undefined): Promise<void> {
    this.#known ??= this.#ask(options).catch((error) => {
      this.#known = undefined;
      throw error;
    });
    return this.#known;
  }

  async #ask(options: CallOptions | undefined): Promise<void> {
    const described = await super.send({ method: 'rpc.discover', params: undefined }, options);
    if (typeof described === 'object' && described && Reflect.get(described, 'x-dry-run') === true) return;
    throw protocolError('The server knows no dry runs: it would do what it is asked');
  }
}

/** @throws CallError that the call failed with */
function valueOf(settled: Settled<unknown>): unknown {
  if (settled.ok) return settled.value;
  throw settled.error;
}
