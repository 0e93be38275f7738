/**
 * Problems of a configuration for the operator: place, problem and cure. Values are never repeated, because any of them may be a password in
 * the wrong line.
 */
import { StartError } from '../foundation/errors/start-error.ts';
import { knownKeys, nodeAt, type Path, type SchemaNode, valueAt } from './schema-node.ts';

export interface ConfigProblem {
  readonly path: Path;
  /** A phrase after the name of the setting: `is text`, `is not a known key`. */
  readonly message: string;
  readonly cure: string;
  /** The place in a file, if any: `watchword.yaml, line 12`. */
  readonly where?: string;
}

/**
 * The error with all problems of a configuration, a line for each in its message.
 * Neither the message nor a problem repeats a value, which may be a password.
 * @see docs/concepts/policies-and-settings.md#installation-settings
 * @example
 * ```ts
 * import { ConfigError, readConfig } from '@watchword/core';
 *
 * try {
 *   readConfig({ domain: {} });
 * } catch (error) {
 *   if (!(error instanceof ConfigError)) throw error;
 *   console.log(error.problems.every(({ cure }) => cure !== '')); // true
 * }
 * ```
 */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(formatProblem).join('\n'));
    this.problems = problems;
  }
}

function formatProblem({ path, message, cure, where }: ConfigProblem): string {
  const place = where === undefined ? '' : `${where}: `;
  return `${place}${path.length === 0 ? 'the configuration' : formatPath(path)} ${message}; ${cure}`;
}

/** Formats a path: `directory.urls[0]`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

/** The part of a zod issue in use. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly issues?: readonly Issue[];
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

export interface Checked {
  readonly value: unknown;
  readonly schema: SchemaNode;
}

/** Turns zod issues into problems. */
export function problemsOf(issues: readonly Issue[], checked: Checked): ConfigProblem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.keys) return issue.keys.map((key) => unknownKey(path, key, checked));
    return [{ path, ...(ownWords(issue) ?? misfit(path, checked)) }];
  });
}

type Words = Pick<ConfigProblem, 'message' | 'cure'>;

/** Returns the message of an issue whose setting has its own message. */
function ownWords({ code, issues, message, params }: Issue): Words | undefined {
  if (code === 'invalid_key') return { message: issues?.[0]?.message ?? message, cure: 'rename it' };
  if (code === 'invalid_format') return { message, cure: 'write one' };
  return code === 'custom' ? { message, cure: String(params?.cure ?? 'correct it') } : undefined;
}

function misfit(path: Path, { value, schema }: Checked): Words {
  const node = nodeAt(schema, path, value);
  const preset = ['string', 'number', 'boolean'].includes(typeof node?.default) ? node?.default : undefined;
  const otherwise = preset === undefined ? '' : `, or leave it out for ${String(preset)}`;
  const wrong = valueAt(value, path);
  const quoted = node?.type === 'string' && typeof wrong === 'number' ? ' (a number in quotes)' : '';
  return { message: `is ${kindOf(wrong, node)}`, cure: `write ${expected(node)}${quoted}${otherwise}` };
}

function kindOf(value: unknown, node: SchemaNode | undefined): string {
  if (value === undefined) return 'missing';
  if (value === null || value === '') return 'empty';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return node?.enum ? 'none of its values' : 'text';
  if (typeof value === 'number') return node?.type === 'integer' ? 'out of range' : 'a number';
  return typeof value === 'boolean' ? 'true or false' : 'a map';
}

function expected(node: SchemaNode | undefined): string {
  if (node?.enum) return node.enum.length === 1 ? String(node.enum[0]) : `one of ${node.enum.join(', ')}`;
  if (Array.isArray(node?.type)) return node.type.map((type) => expected({ type })).join(' or ');
  switch (node?.type) {
    case 'integer':
      return `a whole number from ${node.minimum} to ${node.maximum}`;
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'string':
      return 'text';
    default:
      return expectedMap(node);
  }
}

/** Describes an expected map, with an example in JSON, which is valid YAML. */
function expectedMap(node: SchemaNode | undefined): string {
  if (node?.examples?.length) return `a map, as in ${JSON.stringify(node.examples[0])}`;
  const keys = node ? knownKeys(node) : [];
  return keys.length > 0 ? `a map with keys of ${keys.join(', ')}` : 'a map';
}

function unknownKey(path: Path, key: string, { value, schema }: Checked): ConfigProblem {
  const known = knownKeys(nodeAt(schema, path, value), valueAt(value, path));
  const close = nearest(key, known);
  const cure = close === undefined ? `known keys here: ${known.join(', ')}` : `did you mean ${close}?`;
  return { path: [...path, key], message: 'is not a known key', cure };
}

/** Returns the known word nearest to a misspelling: two letters swapped, or a third of them different. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best && best.far < word.length && best.far <= Math.max(2, word.length / 3)
    ? best.candidate
    : undefined;
}

/** Computes the edit distance of two words, row by row. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
