/** Markdown for the reference: pages, tables, and what a JSON Schema says in a few words. */
import { isMap } from '../../config/schema-node.ts';

/** A page that says where it comes from, so that nobody corrects it by hand. */
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

/** `list of text`, `integer from 0 to 65535`; of keywords, only those that the tables bring about. */
export function typeText(schema: unknown): string {
  if (!isMap(schema)) return 'anything';
  const { const: only, enum: words, oneOf, anyOf } = schema;
  if (only !== undefined) return code(String(only));
  if (Array.isArray(words)) return words.map((word) => code(String(word))).join(', ');
  const choices = oneOf ?? anyOf;
  if (Array.isArray(choices)) return choices.map(typeText).join(' or ');
  return typesOf(schema.type)
    .map((type) => ofType(type, schema))
    .join(' or ');
}

/** A list that may be written as text is a list. */
function typesOf(type: unknown): readonly unknown[] {
  if (!Array.isArray(type)) return [type];
  return type.includes('array') ? ['array'] : type;
}

function ofType(type: unknown, schema: Readonly<Record<string, unknown>>): string {
  const { minimum, maximum, items, additionalProperties, format, contentEncoding } = schema;
  switch (type) {
    case 'array':
      return `list of ${typeText(items)}`;
    case 'object':
      return isMap(additionalProperties) ? `map of names to ${typeText(additionalProperties)}` : 'map';
    case 'integer':
      return minimum === undefined || maximum === undefined ? type : `${type} from ${minimum} to ${maximum}`;
    case 'string':
      return format === 'dn' ? 'DN' : contentEncoding === 'base64' ? 'base64' : 'text';
    default:
      return String(type);
  }
}
