/** REST of the web services as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0), out of the table. */

import type { FieldType } from '../../table/field.ts';
import type { AnyOperation, Fields } from '../../table/operation.ts';
import type { JsonSchema } from '../../table/schema/index.ts';
import type { NamedOperation, OperationTable } from '../web/operations.ts';
import type { Published } from './openrpc.ts';

/** @param published the version, and the address of the web services */
export function openapi({ services }: OperationTable, { version, url }: Published): JsonSchema {
  const paths = services.flatMap(({ word, operations }) =>
    operations.map((named) => [`/${word}/json/${named.name}/`, describe(named, word)]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Watchword web services',
      version,
      description: 'Login over REST; the same is there over SOAP.',
    },
    servers: [{ url }],
    // Which of them a service demands is configured.
    security: [{}, { apiKey: [] }, { certificate: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        certificate: { type: 'mutualTLS' },
      },
      schemas: { Refusal: refusal },
    },
  };
}

function describe({ name, operation }: NamedOperation, word: string): JsonSchema {
  const { summary, request } = operation;
  const common = { summary, tags: [word], responses: responses(operation) };
  return {
    get: { operationId: `${name}ByQuery`, ...common, parameters: parameters(request) },
    post: { operationId: name, ...common, requestBody: { content: bodies(operation) } },
  };
}

function parameters(request: Fields): JsonSchema[] {
  return Object.entries(request).map(([name, field]) => ({
    ...{ name, in: 'query' },
    ...noteOf(field),
    schema: schemaOf(field.type),
  }));
}

function bodies({ request, example }: AnyOperation): JsonSchema {
  const content = { schema: objectOf(request), ...(example && { example }) };
  return { 'application/json': content, 'application/x-www-form-urlencoded': content };
}

function responses({ response }: AnyOperation): JsonSchema {
  const refusal = { $ref: '#/components/schemas/Refusal' };
  return {
    200: {
      description: 'What the operation answers, a failed login too.',
      content: { 'application/json': { schema: objectOf(response) } },
    },
    default: {
      description: 'No operation was run.',
      content: { 'application/json': { schema: refusal } },
    },
  };
}

/** The fields of a request or of an answer. */
export const objectOf = (fields: Fields): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...schemaOf(field.type), ...noteOf(field) }]),
  ),
});

const noteOf = ({ alias, ignored, ours }: Fields[string]): JsonSchema => {
  if (ours) return { description: 'Not in `dialect: deployed`.' };
  if (ignored) return { description: 'Ignored: nothing acts on it in this version.' };
  return alias === undefined ? {} : { description: `May be called \`${alias}\` as well.` };
};

function schemaOf(type: FieldType): JsonSchema {
  switch (type) {
    case 'base64Binary':
      return { type: 'string', contentEncoding: 'base64' };
    case 'strings':
      return { type: 'array', items: { type: 'string' } };
    case 'map':
      return { type: 'object' };
    case 'maps':
      return { type: 'array', items: { type: 'object' } };
    default:
      return { type };
  }
}

const refusal: JsonSchema = {
  type: 'object',
  required: ['reason', 'message'],
  properties: {
    reason: { type: 'string', description: 'The name of the kind of error; decide by it.' },
    message: { type: 'string' },
    data: { type: 'string', description: 'What exactly is wrong.' },
  },
};
