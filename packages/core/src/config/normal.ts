/**
 * Normalization of lenient values: the environment has only text, YAML reads `yes` as text, and a list may be written `"a", "b"`.
 */
import { childNode, isMap, type SchemaNode } from './schema-node.ts';

const flags = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

/** Normalizes a value by its schema; a value that does not fit is returned unchanged, for the schema to refuse. */
export function normalise(value: unknown, node: SchemaNode | undefined): unknown {
  if (!node) return value;
  if (typeof value === 'string') return fromText(value, node);
  if (Array.isArray(value)) return value.map((item, index) => normalise(item, childNode(node, index)));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, normalise(item, childNode(node, key, value))]),
  );
}

function fromText(text: string, node: SchemaNode): unknown {
  switch (node.type) {
    case 'integer':
      return /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : text;
    case 'boolean':
      return flags.get(text.trim().toLowerCase()) ?? text;
    case 'array':
      return listFrom(text).map((item) => normalise(item, childNode(node, 0)));
    default:
      return text;
  }
}

const quotedItem = '"((?:[^"\\\\]|\\\\.)*)"';
const quotedList = new RegExp(`^\\s*${quotedItem}(?:\\s*,\\s*${quotedItem})*\\s*$`);

/** Reads a list. A text without quotes is one value, because DNs contain commas. */
function listFrom(text: string): string[] {
  if (text.trim() === '') return [];
  if (!quotedList.test(text)) return [text.trim()];
  return [...text.matchAll(new RegExp(quotedItem, 'g'))].map(([, item = '']) => item);
}
