/** Writes the Markdown of docs/reference: pages, tables, and short descriptions of JSON Schemas. */
import { isMap } from '../../config/schema-node.ts';

/** Makes a page with a notice of its source, as changes by hand would be overwritten. */
export function page(title: string, source: string, ...parts: readonly string[]): string {
  const notice = `<!-- Generated from ${source} by \`npm run docs\`; changes belong there. -->`;
  return `${[`# ${title}`, notice, ...parts].join('\n\n')}\n`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

export const code = (text: string): string => `\`${text}\``;

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Describes a schema, such as `list of text` or `integer from 0 to 65535`. It knows the keywords that our settings and methods use. */
export function describeSchema(schema: unknown): string {
  if (!isMap(schema)) return 'anything';
  const { const: only, enum: words, oneOf, anyOf } = schema;
  if (only !== undefined) return code(String(only));
  if (Array.isArray(words)) return words.map((word) => code(String(word))).join(', ');
  const choices = oneOf ?? anyOf;
  if (Array.isArray(choices)) return choices.map(describeSchema).join(' or ');
  return shownTypes(schema.type)
    .map((type) => describeType(type, schema))
    .join(' or ');
}

/** Returns the types to describe: of a list that may be written as text, the list only. */
function shownTypes(type: unknown): readonly unknown[] {
  if (!Array.isArray(type)) return [type];
  return type.includes('array') ? ['array'] : type;
}

function describeType(type: unknown, schema: Readonly<Record<string, unknown>>): string {
  const { minimum, maximum, items, additionalProperties, format, contentEncoding } = schema;
  switch (type) {
    case 'array':
      return `list of ${describeSchema(items)}`;
    case 'object':
      return isMap(additionalProperties) ? `map of names to ${describeSchema(additionalProperties)}` : 'map';
    case 'integer':
      return minimum === undefined || maximum === undefined ? type : `${type} from ${minimum} to ${maximum}`;
    case 'string':
      return format === 'dn' ? 'DN' : contentEncoding === 'base64' ? 'base64' : 'text';
    default:
      return String(type);
  }
}
