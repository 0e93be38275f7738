import { isShortJson, jsonPieces } from '@watchword/core/foundation';
import type { HttpResponse } from '@watchword/core/http';

/** Creates an answer in JSON, in pieces if it is long. @param value for {@link jsonPieces}; must not change until the answer is sent */
export function jsonResponse(value: object, { status, headers }: JsonHead): HttpResponse {
  const body = isShortJson(value) ? JSON.stringify(value) : jsonPieces(value);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

export type JsonHead = Pick<HttpResponse, 'status' | 'headers'>;
