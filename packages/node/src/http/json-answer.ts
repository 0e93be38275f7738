import { isShortJson, jsonPieces } from '@watchword/core/foundation';
import type { HttpAnswer } from '@watchword/core/http';

/** Creates an answer in JSON, in pieces if it is long. @param value for {@link jsonPieces}; must not change until the answer is sent */
export function jsonAnswer(value: object, { status, headers }: JsonHead): HttpAnswer {
  const body = isShortJson(value) ? JSON.stringify(value) : jsonPieces(value);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

export type JsonHead = Pick<HttpAnswer, 'status' | 'headers'>;
