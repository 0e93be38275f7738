/** JSON-RPC 2.0 on the client's side: makes requests, and assigns responses to their calls. */
import type { PlannedCall, Settled } from '../calls.ts';
import { type CallError, type FailureReason, protocolError } from '../errors.ts';
import type { Answer } from './exchange.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { refusal } from './refusal.ts';

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

/** Returns the end of a single call. @throws CallError `protocol` */
export function settleOne(sent: Request, answer: Answer): Settled<unknown> {
  const response = readResponse(answer.value, answer);
  const isOurs = response.id === sent.id || (response.id === null && 'error' in response);
  if (!isOurs) throw strange('The answer belongs to another call', answer);
  return settle(sent, response, answer);
}

/**
 * Returns the end of each call of a batch, whatever the order of the answer.
 * @throws CallError for a batch that was refused as a whole, and `protocol` for an answer that cannot be trusted: it answers another
 *   question, or one twice
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
  | { readonly id: unknown; readonly error: JsonObject };

/** Some servers write `"error": null` beside a result. */
function readResponse(value: unknown, answer: Answer): Response {
  if (!isJsonObject(value) || value.jsonrpc !== '2.0')
    throw strange('The answer is not JSON-RPC 2.0', answer);
  const { id, error } = value;
  if (isJsonObject(error)) return { id, error };
  if (error !== undefined && error !== null)
    throw strange('The error of the answer is not an object', answer);
  if (!Object.hasOwn(value, 'result')) throw strange('The answer has neither result nor error', answer);
  return { id, result: value.result };
}

function settle({ method }: Request, response: Response, answer: Answer): Settled<unknown> {
  return 'error' in response
    ? failed(toError(response.error, answer, method))
    : { ok: true, value: response.result };
}

const failed = (error: CallError): Settled<never> => ({ ok: false, error });

/** A server that gives no reason is understood by its code, as far as JSON-RPC 2.0 §5.1 goes. */
function toError(error: JsonObject, answer: Answer, method?: string): CallError {
  const { code } = error;
  const otherwise = (typeof code === 'number' ? codeReasons[code] : undefined) ?? 'internal';
  return refusal(error, answer, { otherwise, method });
}

/** -32000 is not of the standard: what servers in the field answer when they cannot work. */
const codeReasons: Readonly<Record<number, FailureReason>> = {
  [-32700]: 'parse_error',
  [-32600]: 'invalid_request',
  [-32601]: 'method_not_found',
  [-32602]: 'invalid_params',
  [-32000]: 'unavailable',
};

const strange = (message: string, { httpStatus }: Answer) => protocolError(message, { httpStatus });
