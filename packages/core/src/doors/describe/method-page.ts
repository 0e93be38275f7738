/** The page of docs/reference on Manager methods: parameters, result, permission and a request for each. */

import type { AnyMethod, NamedNeed, Need } from '../../table/method.ts';
import type { JsonSchema } from '../../table/schema/index.ts';
import type { MethodTable, NamedMethod } from '../manager/methods.ts';
import { block, code, describeSchema, page, table } from './markdown.ts';

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

/** Returns the anchor that GitHub gives a heading. */
const anchor = (name: string): string => name.toLowerCase().replaceAll('.', '');

function section({ name, method }: NamedMethod): string {
  const facts = `Result: ${resultText(method.result.schema)}. Permission: ${code(method.permission)}.`;
  const sections = [`## ${name}`, method.summary, ...parameters(method), `${facts}${needed(method)}`];
  return [...sections, request(name, method)].join('\n\n');
}

/** The words of each need, in the attribute names of the standard dialect. */
const needs: Readonly<Record<NamedNeed, string>> = {
  readsData: 'to read `webadmData`',
  readsSettings:
    'to read `webadmSettings` and what tells groups (`memberOf`, `groupMembership`, `uid`, `gidNumber`)',
  readsGroups: 'to read what tells groups (`memberOf`, `groupMembership`, `uid`, `gidNumber`)',
  readsFactors:
    'to read `webadmData`, `webadmSettings` and what tells groups (`memberOf`, `groupMembership`, `uid`, `gidNumber`)',
  readsLogins: 'to read the login attributes (`uid`, `sAMAccountName`, `userPrincipalName`)',
  readsCertificates: 'to read `userCertificate`',
  writesData: 'to write `webadmData`',
  writesSettings: 'to write `webadmSettings`',
  writesCertificates: 'to write `userCertificate`',
  setsPasswords: 'to write `userPassword` or `unicodePwd`',
  activates: 'to create `webadmAccount`, for groups `webadmGroup`',
  unmakes: 'to create the classes of the object',
  renames: 'to write the attributes that the object is named by',
  moves: 'an object that nothing stands below',
  isSuper: 'to be of super administrators, which no role is',
};

const wordsOf = (need: Need): string =>
  isNamed(need) ? needs[need] : `to read ${code(need.replace('reads ', ''))}`;

const isNamed = (need: Need): need is NamedNeed => Object.hasOwn(needs, need);

function needed({ needs: all = [] }: AnyMethod): string {
  return all.length === 0 ? '' : ` Beside the method, a role needs ${all.map(wordsOf).join('; ')}.`;
}

function parameters({ params }: AnyMethod): string[] {
  const rows = Object.entries(params).map(([name, row]) => [code(name), row.title, demandOf(row)]);
  return rows.length === 0 ? [] : [table(['Parameter', 'Type', ''], rows)];
}

function demandOf({ ignored, byName, optional }: AnyMethod['params'][string]): string {
  if (byName) return 'optional; by name only';
  if (ignored) return 'optional; ignored: nothing acts on it in this version';
  return optional ? 'optional' : 'required';
}

function resultText(schema: JsonSchema): string {
  return typeof schema.description === 'string' ? schema.description : describeSchema(schema);
}

/** A line for each member: short enough to read, and still JSON. */
function request(name: string, { example }: AnyMethod): string {
  const body = { jsonrpc: '2.0', id: 1, method: name, ...(example && { params: example }) };
  const members = Object.entries(body).map(([key, value]) => `  "${key}": ${JSON.stringify(value)}`);
  return block('json', `{\n${members.join(',\n')}\n}`);
}
