/**
 * REST: an operation by GET with a query, or by POST with a form or JSON; the answer is JSON. Every result of an operation is HTTP 200.
 * Other statuses are for requests that reach no operation (our choice).
 */

import { errorTable, type Reason, ServiceError } from '../../foundation/errors/errors.ts';
import { decoded, formFields } from '../../foundation/http/form.ts';
import type { WebRequest } from '../../foundation/http/http.ts';
import { parseMembers } from '../../foundation/text/json.ts';
import { type Addressed, type Asked, noStoreHeaders, type ReadLimits, type WireFormat } from './exchange.ts';
import { type Given, namedOrNumbered } from './fields.ts';
import type { NamedOperation } from './operations.ts';

/** More than any operation has; what is beyond is work that nobody asked for. */
const maxParameters = 256;

/** The operation is named in the path, `/otp/json/otpNormalLogin/`, or in the parameter `method`. */
export const rest: WireFormat = {
  read: async (request, at, limits) => {
    const { search } = request.url;
    const query = search === '' ? [] : parseForm(search.slice(1));
    if (request.method === 'GET') return askedBy(request, { query, given: query, at, bytes: 0 });
    const posted = { request, query, at, limits };
    return readPosted(await request.body(limits.body), posted);
  },
  write: (answer, { operation }) => json(200, operation.writeJson(answer)),
  writeError: ({ reason, detail }) => {
    const { message } = errorTable[reason];
    const data = detail !== undefined && { data: detail };
    return json(restStatus(reason), JSON.stringify({ reason, message, ...data }));
  },
};

/** HTTP status of a request that reaches no operation. */
export const restStatus = (reason: Reason): number => statuses[reason] ?? 400;

const statuses: Partial<Record<Reason, number>> = {
  credentials_refused: 401,
  client_refused: 403,
  method_not_found: 404,
  not_found: 404,
  too_large: 413,
  too_many_attempts: 429,
  internal: 500,
  unavailable: 503,
};

const jsonType = 'application/json';

const headers = noStoreHeaders(jsonType);

const json = (status: number, body: string) => ({ status, headers, body });

interface Posted {
  readonly request: WebRequest;
  readonly query: Given;
  readonly at: Addressed;
  readonly limits: ReadLimits;
}

async function readPosted(body: Uint8Array, { request, query, at, limits }: Posted): Promise<Asked> {
  const given = await readGiven(body, request, limits);
  return askedBy(request, { given, query, at, bytes: body.length });
}

interface Read {
  /** The fields of the query, besides those of the body. */
  readonly query: Given;
  readonly given: Given;
  readonly at: Addressed;
  readonly bytes: number;
}

function askedBy({ url }: WebRequest, { query, given, at, bytes }: Read): Asked {
  if (query.length > 0 && query !== given) refuseTwice(query, given);
  const operation = at.named ?? operationOf(url, query.length === 0 ? given : [...query, ...given], at);
  return { operation, given: namedOrNumbered(operation.operation.request, given), bytes };
}

/** Refuses a name that is in the query and in the body: which of them counts is ambiguous. @throws ServiceError `invalid_params` */
function refuseTwice(query: Given, body: Given): void {
  const names = new Set(query.map(([name]) => name.toLowerCase()));
  const twice = body.find(([name]) => names.has(name.toLowerCase()));
  if (!twice) return;
  const detail = `Parameter ${twice[0].slice(0, 64)} is in the query and in the body`;
  throw new ServiceError('invalid_params', { detail });
}

/** Finds an operation by its name in the path, else among the parameters. */
function operationOf({ pathname }: URL, given: Given, { service }: Addressed): NamedOperation {
  const [, inPath] = /\/json\/([^/]+)\/?$/i.exec(pathname) ?? [];
  const name = inPath ?? given.find(([key]) => key.toLowerCase() === 'method')?.[1];
  if (typeof name !== 'string' || name === '')
    throw new ServiceError('invalid_request', { detail: 'no operation is named' });
  return service.find(name);
}

/** Reads a body by its media type; without a type, or with a wrong one, by its first character. */
async function readGiven(bytes: Uint8Array, request: WebRequest, { depth }: ReadLimits): Promise<Given> {
  const contentType = request.headers.get('content-type') ?? '';
  if (contentType === jsonType && bytes.length > 0) return bounded(parseMembers(bytes, depth));
  const type = /^\s*[^;\s]*/.exec(contentType)?.[0].trim().toLowerCase();
  if (type?.startsWith('multipart/')) return parseMultipart(bytes, contentType);
  if (bytes.length === 0) return [];
  const isJson = type === jsonType || (type !== formType && /^\s*[{[]/.test(startOf(bytes)));
  if (isJson) return bounded(parseMembers(bytes, depth));
  return parseForm(decoded(bytes));
}

const formType = 'application/x-www-form-urlencoded';

/** Fields of RFC 7578, in UTF-8; no operation takes a file. @throws ServiceError `parse_error`, `invalid_request`, `too_large` */
async function parseMultipart(bytes: Uint8Array, contentType: string): Promise<Given> {
  // Counted before they are read, as lenient as they are read: each part costs more than it is long.
  bounded({
    length: decoded(bytes).split(/^[\t ]*content-disposition[\t ]*:/im, maxParameters + 2).length - 1,
  });
  const parts = bounded(await readParts(bytes, contentType));
  if (parts.some(([, value]) => typeof value !== 'string'))
    throw new ServiceError('invalid_request', {
      detail: 'the form brings a file, and no operation takes one',
    });
  return parts;
}

async function readParts(bytes: Uint8Array, contentType: string): Promise<Given> {
  try {
    return [
      ...(await new Response(Buffer.from(bytes), { headers: { 'content-type': contentType } }).formData()),
    ];
  } catch (cause) {
    throw new ServiceError('parse_error', { detail: 'the body is not multipart/form-data', cause });
  }
}

const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 64)).toString('latin1');

function parseForm(text: string): Given {
  bounded({ length: text.split('&', maxParameters + 1).length });
  return [...formFields(text)];
}

function bounded<T extends { readonly length: number }>(parameters: T): T {
  if (parameters.length > maxParameters)
    throw new ServiceError('too_large', { detail: `a request has at most ${maxParameters} parameters` });
  return parameters;
}
