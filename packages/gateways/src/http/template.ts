/**
 * Templates of requests to gateways: variables in braces, such as `{to}`, in the values of a query, of headers, of a form or of JSON. Each
 * value is inserted and then encoded for its place, so that no text breaks out of it.
 */

import { DeliveryError } from '@watchword/core/ports';

/** Variables by name; a value that consists of one variable keeps its type in JSON. */
export type Variables = Readonly<Record<string, string | number | boolean>>;

export interface RequestTemplate {
  /** A path may have variables too. */
  readonly url: string;
  readonly method: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** One of both, or none. */
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>> | undefined;
}

export interface GatewayRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const variable = /\{([a-z_]+)\}/g;

/** A template filled in. */
export function requestOf(template: RequestTemplate, variables: Variables): GatewayRequest {
  const { url, method, query = {}, headers = {}, json, form } = template;
  const whole = new URL(fill(url, variables, pathSegment));
  for (const [name, value] of Object.entries(query)) whole.searchParams.append(name, fill(value, variables));
  const body = bodyOf({ json, form }, variables);
  return {
    ...{ url: whole, method, body: body?.text },
    headers: {
      ...(body && { 'Content-Type': body.type }),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, headerValue(fill(value, variables))]),
      ),
    },
  };
}

function bodyOf(
  { json, form }: Pick<RequestTemplate, 'json' | 'form'>,
  variables: Variables,
): { readonly text: string; readonly type: string } | undefined {
  if (json !== undefined)
    return { text: JSON.stringify(fillJson(json, variables)), type: 'application/json; charset=utf-8' };
  if (form === undefined) return undefined;
  const fields = Object.entries(form).map(([name, value]) => [name, fill(value, variables)]);
  return { text: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' };
}

/** Encodes a path segment; dots are refused, as they would be steps up the path, encoded or not (RFC 3986 §5.2.4). */
function pathSegment(text: string): string {
  if (/^(?:\.|%2e)*$/i.test(text))
    throw new DeliveryError('a text cannot stand in the path', { isFinal: true });
  return encodeURIComponent(text.toWellFormed());
}

/** Fills variables in; filled-in text is not expanded again. */
const fill = (
  text: string,
  variables: Variables,
  write: (text: string) => string = (value) => value,
): string =>
  text.replace(variable, (whole, name: string) =>
    Object.hasOwn(variables, name) ? write(String(variables[name])) : whole,
  );

function fillJson(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') {
    const [, name] = /^\{([a-z_]+)\}$/.exec(value) ?? [];
    return name !== undefined && Object.hasOwn(variables, name) ? variables[name] : fill(value, variables);
  }
  if (Array.isArray(value)) return value.map((one) => fillJson(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillJson(one, variables)]));
}

/** Printable ASCII (RFC 9110 §5.5): a text that is more than that is encoded, and no line can end. */
const headerValue = (text: string): string =>
  text.replace(/[^\x20-\x7e]/gu, (character) => encodeURIComponent(character.toWellFormed()));
