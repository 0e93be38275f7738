/** The web services as an object: `web.otp.normalLogin({…})`, by REST with JSON. */
import type { WebCalls } from '@watchword/core';
import type { WebServices } from './calls.ts';
import { protocolError } from './errors.ts';
import { type OperationName, withOperations } from './operations.ts';
import { readWebServicesOptions, type WebServicesOptions } from './options.ts';
import { withOutcome } from './outcome.ts';
import { toBase64 } from './wire/base64.ts';
import { type Answer, Exchange, reasonOf } from './wire/exchange.ts';
import { isJsonObject, type JsonObject } from './wire/json-object.ts';
import { refusal } from './wire/refusal.ts';

/**
 * Creates web services to call, by REST. They connect at the first call, and hold nothing that has to be closed.
 * A failed login is an answer; `outcome` is `granted`, `challenge` or `refused`.
 * @param options the address before the service, an API key, and the time in milliseconds
 * @returns an object with every service and its operations; each call throws a `CallError`
 * @throws TypeError for options that cannot be used
 * @see docs/concepts/login.md#outcome
 * @see docs/guide/web-services.md#log-in-over-rest
 * @example
 * ```ts
 * import { createWebServices } from '@watchword/client';
 *
 * const web = createWebServices({ url: 'https://login.example.org:8443/' });
 * const answer = await web.otp.normalLogin({ username: 'alice', ldapPassword: 'a password' });
 * if (answer.outcome === 'challenge')
 *   await web.otp.challenge({ username: 'alice', session: answer.session, otpPassword: '123456' });
 * ```
 */
export function createWebServices<Table extends WebCalls = WebCalls>(
  options: WebServicesOptions,
): WebServices<NoInfer<Table>> {
  const exchange = new Exchange(readWebServicesOptions(options));
  const names = new Map(Object.entries(options.names ?? {}));
  const services = withOperations(async (name, request, options) => {
    const { method, path } = placeOf(name, names);
    return answerOf(await exchange.post(bodyOf(request), options, path), method);
  });
  // The table gives the types and the proxy the names: that they fit is for the server to say.
  return services as WebServices<NoInfer<Table>>;
}

/** Returns the path of an operation below the address, by the installation's names. */
function placeOf({ service, operation }: OperationName, names: ReadonlyMap<string, string>) {
  const word = names.get(service) ?? service;
  const method = `${word}${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  return { method, path: `${encodeURIComponent(word)}/json/${encodeURIComponent(method)}/` };
}

function bodyOf(request: object = {}): JsonObject {
  const fields = Object.entries(request);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, value instanceof Uint8Array ? toBase64(value) : value]),
  );
}

/** A login that fails is an answer. @throws CallError where no operation has answered */
function answerOf(answer: Answer, method: string): JsonObject {
  const { value, httpStatus } = answer;
  if (!isJsonObject(value)) throw protocolError('The answer is no JSON object', { httpStatus, method });
  if (httpStatus < 300) return withOutcome(value);
  throw refusal(value, answer, { otherwise: reasonOf(httpStatus), method });
}
