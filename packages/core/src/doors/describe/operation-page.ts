/** The page of docs/reference on the web services: every operation with its fields, in the order of the WSDL, and a request. */
import type { Fields } from '../../table/operation.ts';
import type { NamedOperation, OperationTable, WebService } from '../web/operations.ts';
import { block, code, page, table } from './markdown.ts';

export function operationPage({ services }: OperationTable): string {
  return page('Web services', 'the operation table', intro, ...services.map(section));
}

const intro = `Each operation is the same over SOAP and REST; [the guide](../guide/web-services.md) shows how to call them,
[openapi.json](openapi.json) describes REST to programs and \`?wsdl\` SOAP. No field of a request is needed by the
wire: what an operation misses, it says in its answer. Of an answer, fields that do not apply are left out. Names of
operations and fields are matched without regard to case.`;

function section(service: WebService): string {
  const rows = service.operations.map(({ name, operation }) => [
    `[${code(name)}](#${name.toLowerCase()})`,
    operation.summary,
  ]);
  return [
    `## Service ${code(service.word)}`,
    table(['Operation', 'What it does'], rows),
    ...service.operations.map((operation) => operationSection(operation, service)),
  ].join('\n\n');
}

function operationSection({ name, operation }: NamedOperation, { word }: WebService): string {
  const { summary, request, response, example } = operation;
  return [
    `### ${name}`,
    summary,
    Object.keys(request).length === 0 ? 'No fields.' : fields('Field', request),
    fields('Answer', response),
    block(
      'http',
      `POST /${word}/json/${name}/\ncontent-type: application/json\n\n${JSON.stringify(example ?? {})}`,
    ),
  ].join('\n\n');
}

function fields(heading: string, rows: Fields): string {
  return table(
    [heading, 'Type'],
    Object.entries(rows).map(([name, field]) => [
      field.alias === undefined ? code(name) : `${code(name)}, or ${code(field.alias)}`,
      `${typeNames[field.type]}${noteOf(field)}`,
    ]),
  );
}

function noteOf({ ignored, ours, note }: Fields[string]): string {
  if (note !== undefined) return `; ${note}`;
  if (ours) return '; not in `dialect: deployed`';
  return ignored ? '; ignored: nothing acts on it in this version' : '';
}

const typeNames = {
  string: 'text',
  integer: 'integer',
  boolean: 'boolean',
  base64Binary: 'base64',
  strings: 'list of text',
  map: 'object',
  maps: 'list of objects',
} as const;
