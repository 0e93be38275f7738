/**
 * Runs calls of the method table: reads the parameters, runs the method, writes the result, and logs every change. A batch runs in order,
 * each call after the effect of the one before; neighbouring short reads run concurrently, as they have no effect.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTenant } from '../../administration/access/superiors.ts';
import type { Call } from '../../applications/context/call.ts';
import { onEntry } from '../../directory/entry/entry.ts';
import { publicError } from '../../events/failure.ts';
import { type RecordingPorts, recordEvent } from '../../events/recorded.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { runCooperatively } from '../../foundation/runtime/cooperative.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log/log.ts';
import { endSpan, type Meter, type Tracer, type TraceSpan } from '../../ports/meter.ts';
import type { Patience } from '../../ports/store/store.ts';
import type { Dialect } from '../../table/dialect.ts';
import { type AnyMethod, entriesOf } from '../../table/method.ts';
import { callEntry, type Ending } from './audit.ts';
import { dryRun } from './dry-run/dry-run.ts';
import type { Recorder } from './dry-run/recorder.ts';
import { type Body, failure, type Item, type RpcResponse, success } from './envelope.ts';
import type { MethodTable, NamedMethod } from './methods.ts';
import { readParameters, readSubject } from './parameters.ts';

/** The context of answering and recording calls. */
interface DispatchView extends RecordingPorts {
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Pick<Meter, 'count' | 'time'>;
  readonly tracer: Pick<Tracer, 'startActiveSpan'>;
  readonly patience: Patience;
}

/** A call as it came in. */
export interface ManagerCall extends Call {
  /** The recorder of a dry run, which reports what the call would do. */
  readonly recorder: Recorder | undefined;
}

/** Reads of a batch that are asked together: some milliseconds, and as many as a connection to a directory carries well. */
const mostTogether = 16;

/** OpenRPC 1.3.2, Service Discovery Method: JSON-RPC 2.0 keeps names that begin so for what is no method of an application. */
const discovery = 'rpc.discover';

export class Dispatcher {
  readonly #view: DispatchView;
  readonly #table: MethodTable;
  readonly #discover: (() => object) | undefined;

  constructor(view: DispatchView, table: MethodTable, discover?: () => object) {
    this.#view = view;
    this.#table = table;
    this.#discover = discover;
  }

  /** Runs one method by any of its names. @throws ServiceError, only ever one */
  async invoke(name: string, params: unknown, call: ManagerCall): Promise<unknown> {
    const named = this.#table.find(name);
    if (!named) throw noMethod(name);
    return this.#run(named, params, call);
  }

  /**
   * Answers a body: one response, the responses of a batch, or nothing where all are notifications.
   * @param signal aborted when the caller has disconnected: changes are made all the same, as they were sent
   */
  async answer(
    { isBatch, items }: Body,
    call: ManagerCall,
    signal?: AbortSignal,
  ): Promise<RpcResponse | readonly RpcResponse[] | undefined> {
    const [only] = items;
    if (!isBatch && only && !signal?.aborted) return this.#answerOne(only, call);
    const { patience } = this.#view;
    const responses: RpcResponse[] = [];
    for (const [index, together] of this.#neighbours(items).entries()) {
      if (index > 0) await nextTurn(); // a call that waits for nothing would keep all others waiting
      const wanted = signal?.aborted ? together.filter((item) => !this.#isOnlyRead(item)) : together;
      const answered = await Promise.all(
        wanted.map((item) => patience.apart(() => this.#answerOne(item, call))),
      );
      for (const response of answered) if (response) responses.push(response);
    }
    return responses.length > 0 ? responses : undefined;
  }

  /** Calls in their order: short reads that stand side by side, a few at a time, and each other one for itself. */
  #neighbours(items: readonly Item[]): readonly (readonly Item[])[] {
    const all: Item[][] = [];
    let reads: Item[] | undefined;
    for (const item of items) {
      if (!this.#methodOf(item)?.isShortRead) {
        reads = undefined;
        all.push([item]);
      } else if (reads && reads.length < mostTogether) reads.push(item);
      else {
        reads = [item];
        all.push(reads);
      }
    }
    return all;
  }

  #isOnlyRead(item: Item): boolean {
    return this.#methodOf(item)?.permission !== 'write';
  }

  #methodOf(item: Item): AnyMethod | undefined {
    return 'error' in item ? undefined : this.#table.find(item.request.method)?.method;
  }

  async #answerOne(item: Item, call: ManagerCall): Promise<RpcResponse | undefined> {
    const { dialect } = this.#view;
    if ('error' in item) return failure(item.error, item.id, dialect);
    const { method, params, id } = item.request;
    try {
      const result = method === discovery ? this.#described(params) : await this.invoke(method, params, call);
      return id === undefined ? undefined : success(result, id);
    } catch (error) {
      const refusal = error instanceof ServiceError ? error : new ServiceError('internal');
      return id === undefined ? undefined : failure(refusal, id, dialect);
    }
  }

  /** Answers the description, which every administrator may read: it is no secret and touches no entry. @throws ServiceError */
  #described(params: unknown): object {
    if (!this.#discover) throw noMethod(discovery);
    if (Object.keys(params ?? {}).length > 0)
      throw new ServiceError('invalid_params', { detail: `${discovery} takes no parameters` });
    return this.#discover();
  }

  async #run(named: NamedMethod, params: unknown, call: ManagerCall): Promise<unknown> {
    const begun = this.#view.clock.now();
    try {
      const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': named.ours };
      const outcome = await this.#view.tracer.startActiveSpan('watchword.call', { attributes }, (span) =>
        this.#attempt(named, params, call).then((ended) => {
          this.#measure(named, ended, { begun, span });
          return ended;
        }),
      );
      if (isAudited(named.method, outcome, call)) await this.#audit({ ...named, begun }, outcome, call);
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    } catch (error) {
      const { id: transaction, client } = call.transaction;
      throw publicError(error, this.#view.log, { transaction, client, ...asked(named, call) });
    }
  }

  #measure(
    { ours: method }: NamedMethod,
    ended: Outcome,
    { begun, span }: { readonly begun: number; readonly span: TraceSpan },
  ): void {
    const { clock, meter } = this.#view;
    const { outcome, reason } = endingOf(ended);
    meter.count('calls', { method, outcome: outcome.replaceAll(' ', '_') });
    meter.time('callTime', { method }, Math.max(0, clock.now() - begun));
    endSpan(
      span,
      reason === 'internal' || reason === 'unavailable' ? 'failed' : outcome.replaceAll(' ', '_'),
    );
  }

  async #attempt(
    { ours, method, supportsDryRun }: NamedMethod,
    params: unknown,
    call: ManagerCall,
  ): Promise<Outcome> {
    const { dialect } = this.#view;
    let values: Outcome['values'] | undefined;
    try {
      assertAdmitted(ours, method, call);
      const refusesUnknown = dialect.refusesUnknownParameters;
      values = readParameters(method.params, params, { refusesUnknown });
      const asked = { ours, method, values };
      if (call.recorder) {
        const dryRunCall = { ...asked, mayRun: supportsDryRun };
        const service = { call, recorder: call.recorder };
        return { values, auditValues: {}, result: await dryRun(dryRunCall, service, enterRights) };
      }
      const value = await method.run(values, await enterRights(asked, call));
      const long = method.result.encodeLong?.(value, dialect);
      const result = long ? await runCooperatively(long) : method.result.encode(value, dialect);
      return { values, auditValues: method.audit?.(value) ?? {}, result };
    } catch (error) {
      // What was refused unread is about something, too.
      return { values: values ?? readSubject(method, params), error };
    }
  }

  /** Records the call before its answer: no change is answered without a trace. If the event log fails, the log has the entry. */
  async #audit(
    { name, method, begun }: NamedMethod & { readonly begun: number },
    outcome: Outcome,
    { administrator, transaction }: Call,
  ): Promise<void> {
    const { values } = outcome;
    const auditValues = 'auditValues' in outcome ? outcome.auditValues : {};
    const ending = { ...endingOf(outcome), milliseconds: this.#view.clock.now() - begun };
    await recordEvent(
      callEntry({ name, method, values, auditValues, ending }, administrator),
      transaction,
      this.#view,
    );
  }
}

/** Changes, and what somebody wanted to see and may not. */
const isAudited = ({ permission }: AnyMethod, outcome: Outcome, { recorder }: ManagerCall): boolean =>
  (permission === 'write' && !recorder) ||
  ('error' in outcome && isReason(outcome.error, 'permission_denied'));

const asked = ({ name }: NamedMethod, { administrator }: Call) => ({
  user: administrator.format(),
  method: name,
});

/** Asserts that the administrator may call the method. @throws ServiceError `permission_denied` */
function assertAdmitted(ours: string, { permission, refusesTenants }: AnyMethod, { rights }: Call): void {
  if (refusesTenants !== undefined && isTenant(rights.mandate))
    throw new ServiceError('permission_denied', { detail: refusesTenants });
  if (permission === 'self' || rights.admits(ours)) return;
  throw new ServiceError('permission_denied', { detail: 'none of your roles has this method' });
}

/**
 * The call with the directory as this method may see and change it. Some methods change what is kept beside the
 * directory, a block for one: so the entries that a changing method is about are judged here, too.
 * @throws ServiceError `permission_denied`
 */
async function enterRights(
  { ours, method, values }: { ours: string; method: AnyMethod<Call>; values: Outcome['values'] },
  call: Call,
): Promise<Call> {
  const { directory, assertAdministers, readsSecret } = call.rights.over(
    call.directory,
    ours,
    call.server.service,
  );
  for (const dn of entriesOf(method, values)) call.rights.assertMeans(dn);
  if (method.own) call.rights.assertRegisters(method.own, values);
  const within = directory === call.directory ? call : Object.assign({ ...call }, { directory, readsSecret });
  if (method.permission === 'write')
    for (const dn of entriesOf(method, values)) await onEntry('update', dn, () => assertAdministers(dn));
  return within;
}

/** The end of a call. */
type Outcome = { readonly values: Readonly<Record<string, unknown>> } & (
  | { readonly result: unknown; readonly auditValues: Readonly<Record<string, string>> }
  | { readonly error: unknown }
);

function endingOf(outcome: Outcome): Ending {
  if ('result' in outcome) return { outcome: outcome.result === false ? 'no change' : 'done' };
  const error = outcome.error instanceof ServiceError ? outcome.error : new ServiceError('internal');
  // Other reasons may repeat what was given, a password in the wrong place for one.
  const detail = error.reason === 'permission_denied' ? error.detail : undefined;
  return { outcome: 'refused', reason: error.reason, detail };
}

function noMethod(name: string): ServiceError {
  return new ServiceError('method_not_found', { detail: `There is no method '${name.slice(0, 64)}'` });
}
