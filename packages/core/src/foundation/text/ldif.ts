/** LDIF content records (RFC 2849), folded at 76 columns. */
import { type AttributeValue, bytesOf } from './value.ts';

/** Writes a record, with the blank line after it. @param lines attribute descriptions with one value each */
export function formatRecord(dn: string, lines: Iterable<readonly [string, AttributeValue]>): string {
  let text = formatLine('dn', dn);
  for (const [name, value] of lines) text += formatLine(name, value);
  return `${text}\n`;
}

const columns = 76;
/** SAFE-STRING of RFC 2849, without a trailing space, which readers may drop. */
const safe = /^(?![ :<])[\x01-\x09\x0b\x0c\x0e-\x7f]*(?<! )$/;

function formatLine(name: string, value: AttributeValue): string {
  const line = `${name}:${formatValue(value)}`;
  if (line.length <= columns) return `${line}\n`;
  const rest = line.slice(columns).match(new RegExp(`.{1,${columns - 1}}`, 'gs')) ?? [];
  return `${[line.slice(0, columns), ...rest].join('\n ')}\n`;
}

function formatValue(value: AttributeValue): string {
  if (value === '') return '';
  if (typeof value === 'string' && safe.test(value)) return ` ${value}`;
  return `: ${Buffer.from(bytesOf(value)).toString('base64')}`;
}
