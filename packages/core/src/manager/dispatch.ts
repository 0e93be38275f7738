/**
 * Calls of the method table: parameters read, the method run, the result written, every change audited.
 * A batch runs in order, each call when the one before it has taken effect (manager.md §1).
 */
import { JSONRPCServer } from 'json-rpc-2.0';
import type { Core } from '../core.ts';
import { ServiceError } from '../errors.ts';
import type { Call } from '../method.ts';
import { formatAuditLine } from '../ports/records.ts';
import { type Body, failure, type Item, type Request, type Response } from './envelope.ts';
import type { MethodTable, NamedMethod } from './methods.ts';
import { readParameters, tellParameters } from './parameters.ts';

export class Dispatcher {
  readonly #core: Core;
  readonly #table: MethodTable;
  readonly #rpc: JSONRPCServer<Call>;

  constructor(core: Core, table: MethodTable) {
    this.#core = core;
    this.#table = table;
    this.#rpc = new JSONRPCServer<Call>({ errorListener: () => {} });
    this.#rpc.mapErrorToJSONRPCErrorResponse = (id, error) =>
      failure(asServiceError(error), id, core.dialect);
    for (const named of table.all) {
      this.#rpc.addMethod(named.name, (params, call) => this.#run(named, params, call));
    }
  }

  /** Runs one method by any of its names. @throws ServiceError, only ever one */
  async invoke(name: string, params: unknown, call: Call): Promise<unknown> {
    return this.#run(this.#find(name), params, call);
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
    if ('error' in item) return failure(item.error, item.id, this.#core.dialect);
    const { request } = item;
    try {
      const { name } = this.#find(request.method);
      return await this.#receive({ ...request, method: name }, call);
    } catch (error) {
      return request.id === undefined
        ? undefined
        : failure(asServiceError(error), request.id, this.#core.dialect);
    }
  }

  async #receive(request: Request, call: Call): Promise<Response | undefined> {
    return ((await this.#rpc.receive(request, call)) as Response | null) ?? undefined;
  }

  #find(name: string): NamedMethod {
    const named = this.#table.find(name);
    if (!named)
      throw new ServiceError('method_not_found', { detail: `There is no method '${name.slice(0, 64)}'` });
    return named;
  }

  async #run({ name, method }: NamedMethod, params: unknown, call: Call): Promise<unknown> {
    const { dialect } = this.#core;
    let told = '';
    try {
      const values = readParameters(method.params, params, {
        refusesUnknown: dialect.refusesUnknownParameters,
      });
      told = tellParameters(method.params, values);
      const result = method.result.encode(await method.run(values, call), dialect);
      if (method.permission === 'write')
        await this.#audit(call, `${name} ${told}: ${result === false ? 'no change' : 'done'}`);
      return result;
    } catch (cause) {
      const error = asServiceError(cause);
      if (error.reason === 'internal' || error.reason === 'unavailable') this.#report(name, error, call);
      if (method.permission === 'write')
        await this.#audit(call, `${name} ${told}: refused (${error.reason})`);
      throw error.reason === 'internal' ? hidden(call) : error;
    }
  }

  async #audit({ administrator, transaction }: Call, text: string): Promise<void> {
    const event = {
      time: this.#core.clock.now(),
      client: transaction.client,
      application: 'Manager',
      session: transaction.id,
      dn: administrator.toString(),
      text: `${administrator}: ${text}`,
    };
    await this.#core.events.append(event);
    this.#core.log.info(formatAuditLine(event), { transaction: transaction.id, audit: true });
  }

  #report(method: string, error: ServiceError, { transaction }: Call): void {
    this.#core.log.error('a call failed', { transaction: transaction.id, method, error });
  }
}

function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
}

/** The id is in the log, the rest is nobody's business (manager.md §2). */
function hidden({ transaction }: Call): ServiceError {
  return new ServiceError('internal', { detail: transaction.id });
}
