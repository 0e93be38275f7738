/**
 * Calls of the method table: parameters read, the method run, the result written, every change audited.
 * A batch runs in order, each call when the one before it has taken effect (manager.md §1).
 */
import { JSONRPCServer } from 'json-rpc-2.0';
import type { Core } from '../core.ts';
import { onEntry } from '../directory/explain.ts';
import { ServiceError } from '../errors.ts';
import { tellable } from '../failure.ts';
import { type AnyMethod, type Call, entriesOf } from '../method.ts';
import { formatAuditLine } from '../ports/records.ts';
import { auditEvent } from './audit.ts';
import { type Body, failure, type Item, type Request, type Response } from './envelope.ts';
import type { MethodTable, NamedMethod } from './methods.ts';
import { readParameters } from './parameters.ts';

export class Dispatcher {
  readonly #core: Core;
  readonly #table: MethodTable;
  readonly #rpc: JSONRPCServer<Call>;

  constructor(core: Core, table: MethodTable) {
    this.#core = core;
    this.#table = table;
    this.#rpc = new JSONRPCServer<Call>({ errorListener: () => {} });
    this.#rpc.mapErrorToJSONRPCErrorResponse = (id, error) =>
      failure(error instanceof ServiceError ? error : new ServiceError('internal'), id, core.dialect);
    for (const named of table.all) {
      this.#rpc.addMethod(named.name, (params, call) => this.#run(named, params, call));
    }
  }

  /** Runs one method by any of its names. @throws ServiceError, only ever one */
  async invoke(name: string, params: unknown, call: Call): Promise<unknown> {
    const named = this.#table.find(name);
    if (!named) throw noMethod(name);
    return this.#run(named, params, call);
  }

  /** Answers a body: one response, the responses of a batch, or nothing where all are notifications. */
  async answer({ isBatch, items }: Body, call: Call): Promise<Response | readonly Response[] | undefined> {
    const responses: Response[] = [];
    for (const item of items) {
      const response = await this.#answerOne(item, call);
      if (response) responses.push(response);
    }
    if (!isBatch) return responses[0];
    return responses.length > 0 ? responses : undefined;
  }

  async #answerOne(item: Item, call: Call): Promise<Response | undefined> {
    const { dialect } = this.#core;
    if ('error' in item) return failure(item.error, item.id, dialect);
    const { request } = item;
    const named = this.#table.find(request.method);
    if (named) return this.#receive({ ...request, method: named.name }, call);
    return request.id === undefined ? undefined : failure(noMethod(request.method), request.id, dialect);
  }

  async #receive(request: Request, call: Call): Promise<Response | undefined> {
    return ((await this.#rpc.receive(request, call)) as Response | null) ?? undefined;
  }

  async #run(named: NamedMethod, params: unknown, call: Call): Promise<unknown> {
    try {
      const outcome = await this.#attempt(named, params, call);
      if (named.method.permission === 'write') await this.#audit(named, outcome, call);
      if ('error' in outcome) throw outcome.error;
      return outcome.result;
    } catch (error) {
      throw tellable(error, this.#core.log, { transaction: call.transaction.id, method: named.name });
    }
  }

  async #attempt({ ours, method }: NamedMethod, params: unknown, call: Call): Promise<Outcome> {
    const { dialect } = this.#core;
    let values: Outcome['values'] = {};
    try {
      assertAdmitted(ours, method, call);
      const refusesUnknown = dialect.refusesUnknownParameters;
      values = readParameters(method.params, params, { refusesUnknown });
      const within = await enterReach({ ours, method, values }, call);
      const value = await method.run(values, within);
      return { values, told: method.audit?.(value) ?? {}, result: method.result.encode(value, dialect) };
    } catch (error) {
      return { values, error };
    }
  }

  /** Before the answer: nobody is told of a change that left no trace. If the event log fails, the log has it. */
  async #audit({ name, method }: NamedMethod, outcome: Outcome, call: Call): Promise<void> {
    const { values } = outcome;
    const told = 'told' in outcome ? outcome.told : {};
    const event = auditEvent({ name, method, values, told, outcome: inWords(outcome) }, call);
    this.#core.log.info(formatAuditLine(event), { transaction: call.transaction.id, audit: true });
    await this.#core.events.append(event);
  }
}

/** Specification §5.1, rule 4. @throws ServiceError `permission_denied` */
function assertAdmitted(ours: string, { permission }: AnyMethod, { reach }: Call): void {
  if (permission === 'self' || reach.admits(ours)) return;
  throw new ServiceError('permission_denied', { detail: 'none of your roles has this method' });
}

/**
 * The call with the directory as this method may see and change it. Some methods change what is kept beside the
 * directory, a block for one: so the entries that a changing method is about are judged here, too.
 * @throws ServiceError `permission_denied`
 */
async function enterReach(
  { ours, method, values }: { ours: string; method: AnyMethod; values: Outcome['values'] },
  call: Call,
): Promise<Call> {
  const { directory, assertAdministers } = call.reach.over(call.directory, ours);
  for (const dn of method.permission === 'write' ? entriesOf(method, values) : [])
    await onEntry('update', dn, () => assertAdministers(dn));
  return { ...call, directory };
}

/** How a call ended. */
type Outcome = { readonly values: Readonly<Record<string, unknown>> } & (
  | { readonly result: unknown; readonly told: Readonly<Record<string, string>> }
  | { readonly error: unknown }
);

function inWords(outcome: Outcome): string {
  if ('result' in outcome) return outcome.result === false ? 'no change' : 'done';
  return `refused (${outcome.error instanceof ServiceError ? outcome.error.reason : 'internal'})`;
}

function noMethod(name: string): ServiceError {
  return new ServiceError('method_not_found', { detail: `There is no method '${name.slice(0, 64)}'` });
}
