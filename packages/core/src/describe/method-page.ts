/** The reference of the Manager methods: parameters, result, permission and a request for each. */
import type { MethodTable, NamedMethod } from '../manager/methods.ts';
import type { AnyMethod } from '../table/method.ts';
import type { JsonSchema } from '../table/schema/index.ts';
import { block, code, page, table, typeText } from './markdown.ts';

export function methodPage(methods: MethodTable): string {
  return page('Manager methods', 'the method table', intro, overview(methods), ...methods.all.map(section));
}

const intro = `All of them are called by \`POST /manag/\` with JSON-RPC 2.0; the machine-readable description is
[openrpc.json](openrpc.json), the errors are in [errors.md](errors.md). Names of methods are matched without
regard to case. Parameters go by name, or by position in the order below. A list may be an array or an object
keyed by index, a value may be a single one or a list of them, a boolean may be \`1\`, \`0\`, \`"true"\` or
\`"false"\`, and an integer may be its text. A method that needs \`write\` leaves a line in the audit.`;

function overview({ all }: MethodTable): string {
  const rows = all.map(({ name, method }) => [`[${code(name)}](#${anchor(name)})`, method.summary]);
  return table(['Method', 'What it does'], rows);
}

/** As GitHub makes it of a heading. */
const anchor = (name: string): string => name.toLowerCase().replaceAll('.', '');

function section({ name, method }: NamedMethod): string {
  const facts = `Result: ${resultText(method.result.schema)}. Permission: ${code(method.permission)}.`;
  return [`## ${name}`, method.summary, ...parameters(method), facts, request(name, method)].join('\n\n');
}

function parameters({ params }: AnyMethod): string[] {
  const rows = Object.entries(params).map(([name, row]) => [code(name), row.title, demandOf(row)]);
  return rows.length === 0 ? [] : [table(['Parameter', 'Type', ''], rows)];
}

function demandOf({ kept, byName, optional }: AnyMethod['params'][string]): string {
  if (byName) return 'optional; by name only';
  if (kept) return 'optional; kept: nothing acts on it in this version';
  return optional ? 'optional' : 'required';
}

function resultText(schema: JsonSchema): string {
  return typeof schema.description === 'string' ? schema.description : typeText(schema);
}

/** A line for each member: short enough to read, and still JSON. */
function request(name: string, { example }: AnyMethod): string {
  const body = { jsonrpc: '2.0', id: 1, method: name, ...(example && { params: example }) };
  const members = Object.entries(body).map(([key, value]) => `  "${key}": ${JSON.stringify(value)}`);
  return block('json', `{\n${members.join(',\n')}\n}`);
}
