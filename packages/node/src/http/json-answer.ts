/** Answers in JSON: short ones in one piece, long ones as they are read. */

import { isShortJson, jsonPieces } from '@watchword/core/foundation';
import type { HttpAnswer } from '@watchword/core/http';

/** @param value as {@link jsonPieces} takes it; not to be changed until the answer is sent */
export function jsonAnswer(value: object, { status, headers }: JsonHead): HttpAnswer {
  const body = isShortJson(value) ? JSON.stringify(value) : jsonPieces(value);
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

export type JsonHead = Pick<HttpAnswer, 'status' | 'headers'>;
