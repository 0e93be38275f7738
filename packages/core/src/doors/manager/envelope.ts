/**
 * JSON-RPC 2.0 envelopes of the Manager: parses and checks the body of a request, and makes responses. Libraries are too lenient or too
 * coarse for it (docs/decisions/0012-json-rpc-and-hotp-libraries-test-us.md).
 */
import type { ServiceConfig } from '../../config/config.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { parseLongJson } from '../../foundation/text/json.ts';
import { type Dialect, type WireError, wireError } from '../../table/dialect.ts';

export type Id = string | number | null;

/** A well-formed call; without `id` it is a notification. */
export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: object;
  readonly id?: Id;
}

export type RpcResponse = SuccessResponse | Failure;

export interface SuccessResponse {
  readonly jsonrpc: '2.0';
  readonly result: unknown;
  readonly id: Id;
}

export interface Failure {
  readonly jsonrpc: '2.0';
  readonly error: WireError;
  readonly id: Id;
}

/** One member of a body: a call, or its error with the id of the response. */
export type Item = { readonly request: RpcRequest } | { readonly error: ServiceError; readonly id: Id };

export interface Body {
  readonly isBatch: boolean;
  readonly items: readonly Item[];
}

type Limits = Pick<ServiceConfig['limits'], 'batch_calls' | 'depth'>;

/**
 * Parses the body of a request: one call or a batch.
 * @throws ServiceError `parse_error`, `invalid_request`, `too_large` if the body as a whole is refused
 */
export async function readCalls(bytes: Uint8Array, limits: Limits): Promise<Body> {
  const value = await parseLongJson(bytes, limits.depth);
  if (!Array.isArray(value)) return { isBatch: false, items: [readItem(value)] };
  if (value.length === 0) throw new ServiceError('invalid_request', { detail: 'the batch is empty' });
  if (value.length > limits.batch_calls) {
    throw new ServiceError('too_large', { detail: `a batch has at most ${limits.batch_calls} calls` });
  }
  return { isBatch: true, items: value.map(readItem) };
}

function readItem(value: unknown): Item {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return malformed(null, 'a call is an object');
  const { jsonrpc, method, params, id } = value as Readonly<Record<string, unknown>>;
  const responseId = isId(id) ? id : null;
  if (id !== undefined && !isId(id))
    return malformed(null, 'id is a string, a number that a double holds exactly, or null');
  if (jsonrpc !== '2.0') return malformed(responseId, 'jsonrpc is not "2.0"');
  if (typeof method !== 'string') return malformed(responseId, 'method is not a string');
  // PHP writes "no parameters" as null.
  if (params !== undefined && typeof params !== 'object')
    return malformed(responseId, 'params is neither an object nor an array');
  return {
    request: {
      jsonrpc,
      method,
      ...(params !== undefined && params !== null && { params }),
      ...(isId(id) && { id }),
    },
  };
}

/** Returns whether a value may be an id. Large numbers are refused, as JSON.parse rounds them and the client would not know its own id. */
const isId = (id: unknown): id is Id =>
  id === null ||
  typeof id === 'string' ||
  (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER);

function malformed(id: Id, detail: string): Item {
  return { error: new ServiceError('invalid_request', { detail }), id };
}

export function success(result: unknown, id: Id): SuccessResponse {
  return { jsonrpc: '2.0', id, result: result === undefined ? null : result };
}

export function failure(error: ServiceError, id: Id, dialect: Dialect): Failure {
  return { jsonrpc: '2.0', error: wireError(error, dialect), id };
}
