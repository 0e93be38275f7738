/** JSON-RPC 2.0 on the client's side: requests made, responses told apart and given to their calls. */
import type { Reason } from '@watchword/core';
import type { PlannedCall, Settled } from './calls.ts';
import { ManagerError, protocolError } from './errors.ts';
import type { Answer } from './exchange.ts';

/** A request as it is sent. */
export interface Request {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params?: object;
}

export function request(id: number, { method, params }: PlannedCall<unknown>): Request {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

/** How a single call ended. @throws ManagerError `protocol` */
export function settleOne(sent: Request, answer: Answer): Settled<unknown> {
  const response = readResponse(answer.value, answer);
  const isOurs = response.id === sent.id || (response.id === null && 'error' in response);
  if (!isOurs) throw strange('The answer belongs to another call', answer);
  return settle(sent, response, answer);
}

/**
 * How each call of a batch ended, whatever the order of the answer.
 * @throws ManagerError for a batch that was refused as a whole, and `protocol` for an answer that cannot be
 * trusted: it answers what was not asked, or something twice
 */
export function settleAll(sent: readonly Request[], answer: Answer): Settled<unknown>[] {
  const responses = byId(sent, answer);
  return sent.map((request) => {
    const response = responses.get(request.id);
    if (response) return settle(request, response, answer);
    const { httpStatus } = answer;
    return failed(protocolError('The call was not answered', { httpStatus, method: request.method }));
  });
}

function byId(sent: readonly Request[], answer: Answer): ReadonlyMap<unknown, Response> {
  const ids = new Set<unknown>(sent.map(({ id }) => id));
  const responses = new Map<unknown, Response>();
  // Some servers answer a batch of one without the array.
  const items: readonly unknown[] = Array.isArray(answer.value) ? answer.value : [answer.value];
  for (const item of items) {
    const response = readResponse(item, answer);
    if ('error' in response && response.id === null) throw toError(response.error, answer);
    if (!ids.has(response.id)) throw strange('The answer belongs to another call', answer);
    if (responses.has(response.id)) throw strange('A call was answered twice', answer);
    responses.set(response.id, response);
  }
  return responses;
}

type Response =
  | { readonly id: unknown; readonly result: unknown }
  | { readonly id: unknown; readonly error: Readonly<Record<string, unknown>> };

/** Some servers write `"error": null` beside a result. */
function readResponse(value: unknown, answer: Answer): Response {
  if (!isObject(value) || value.jsonrpc !== '2.0') throw strange('The answer is not JSON-RPC 2.0', answer);
  const { id, error } = value;
  if (isObject(error)) return { id, error };
  if (error !== undefined && error !== null) throw strange('The error of the answer is no object', answer);
  if (!Object.hasOwn(value, 'result')) throw strange('The answer has neither result nor error', answer);
  return { id, result: value.result };
}

function settle({ method }: Request, response: Response, answer: Answer): Settled<unknown> {
  return 'error' in response
    ? failed(toError(response.error, answer, method))
    : { ok: true, value: response.result };
}

const failed = (error: ManagerError): Settled<never> => ({ ok: false, error });

function toError(
  { code, message, data, reason }: Readonly<Record<string, unknown>>,
  { httpStatus, retryAfter }: Answer,
  method?: string,
): ManagerError {
  const sentence = typeof message === 'string' ? message : 'The server gives no message';
  const detail = typeof data === 'string' ? data : undefined;
  return new ManagerError(toReason(reason, code), {
    message: detail === undefined ? sentence : `${sentence}: ${detail}`,
    code: typeof code === 'number' ? code : undefined,
    data: detail,
    httpStatus,
    retryAfter,
    method,
  });
}

/** The server's word; one that gives none is understood by its code, as far as JSON-RPC 2.0 §5.1 goes. */
function toReason(reason: unknown, code: unknown): Reason {
  // Which words there are, the core's table says and this client may be older than it.
  if (typeof reason === 'string') return reason as Reason;
  return (typeof code === 'number' ? codeReasons[code] : undefined) ?? 'internal';
}

/** -32000 is not of the standard: what servers in the field answer when they cannot work (manager.md §2). */
const codeReasons: Readonly<Record<number, Reason>> = {
  [-32700]: 'parse_error',
  [-32600]: 'invalid_request',
  [-32601]: 'method_not_found',
  [-32602]: 'invalid_params',
  [-32000]: 'unavailable',
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const strange = (message: string, { httpStatus }: Answer) => protocolError(message, { httpStatus });
