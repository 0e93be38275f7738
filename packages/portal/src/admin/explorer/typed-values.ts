/** Forms from the JSON Schema of parameters: the field of each parameter, and the value of its input. */
import type { JsonSchema, MethodDescription, Parameter } from './open-rpc.ts';

/** `lines`: a value on each line; `json`: what has no field of its own. */
export type FieldKind = 'text' | 'long text' | 'number' | 'flag' | 'choice' | 'lines' | 'json';

/** Typed values by the names of parameters; empty ones are not sent. */
export type Typed = Readonly<Record<string, string>>;

export type Problem = 'missing' | 'no number' | 'no JSON';

export type ReadParams =
  | { readonly params: Readonly<Record<string, unknown>> }
  | { readonly problems: Readonly<Record<string, Problem>> };

/** The kinds of values that a schema lets through, whatever it is nested in. */
function typesOf({ type = [], anyOf = [], oneOf = [] }: JsonSchema): ReadonlySet<string> {
  const own = typeof type === 'string' ? [type] : type;
  return new Set([...own, ...[...anyOf, ...oneOf].flatMap((one) => [...typesOf(one)])]);
}

/** Words to choose from; empty: anything may be typed. */
export const choicesOf = ({ schema }: Parameter): readonly string[] =>
  kindOf({ schema }) === 'choice' ? (schema.enum ?? []).map(String) : [];

export function kindOf({ schema }: Pick<Parameter, 'schema'>): FieldKind {
  const types = typesOf(schema);
  const has = (...names: readonly string[]) => names.some((name) => types.has(name));
  if (schema.enum) return 'choice';
  if (has('array', 'object')) return isOfWords(schema) ? 'lines' : 'json';
  if (has('boolean')) return 'flag';
  if (has('integer')) return 'number';
  if (has('number') && !has('string')) return 'number';
  return schema.title === 'PEM' ? 'long text' : 'text';
}

/** The table calls it so wherever a list of single values is taken. */
const isOfWords = ({ title = '' }: JsonSchema): boolean => /^list of [a-z ]+$/i.test(title);

export function readTyped(params: readonly Parameter[], typed: Typed): ReadParams {
  const read = params.map((param) => [param.name, readOne(param, typed[param.name] ?? '')] as const);
  const problems = read.flatMap(([name, one]) => ('problem' in one ? [[name, one.problem] as const] : []));
  if (problems.length > 0) return { problems: Object.fromEntries(problems) };
  return {
    params: Object.fromEntries(read.flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : []))),
  };
}

type ReadOne = { readonly value: unknown } | { readonly problem: Problem } | Record<never, never>;

function readOne(param: Parameter, text: string): ReadOne {
  if (text === '') return param.required ? { problem: 'missing' } : {};
  switch (kindOf(param)) {
    case 'flag':
      return { value: text === 'true' };
    case 'number':
      return /^-?\d+$/.test(text.trim()) ? { value: Number(text) } : { problem: 'no number' };
    case 'lines':
      return { value: text.split('\n').filter((line) => line !== '') };
    case 'json':
      return readJson(text);
    default:
      return { value: text };
  }
}

function readJson(text: string): ReadOne {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'no JSON' };
  }
}

/** The example of a method, as it would have been typed. */
export function typedExample({ params, examples }: MethodDescription): Typed {
  const values = new Map((examples[0]?.params ?? []).map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    params.flatMap((param) =>
      values.has(param.name) ? [[param.name, written(kindOf(param), values.get(param.name))]] : [],
    ),
  );
}

function written(kind: FieldKind, value: unknown): string {
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'lines' && Array.isArray(value)) return value.join('\n');
  if (kind === 'flag') return String(value === true || value === 1);
  return String(value);
}
