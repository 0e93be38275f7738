/**
 * Patterns of methods, as roles and option sets name them. They have to stand for some method: a misspelled one would
 * grant nothing, or restrict nothing, and nobody would notice.
 */
import type { Names } from '../table/dialect.ts';
import type { ConfigProblem } from './problems.ts';
import type { ConfigWords } from './references.ts';
import type { Path } from './schema-node.ts';

/** Roles or option sets, of which only the methods are looked at. */
export type Patterns = Readonly<Record<string, { readonly methods: readonly string[] }>>;

/**
 * Judges whether a pattern stands for a method, by its name in our words or in the installation's, without regard to
 * case (manager.md §1).
 */
export function matcherOf(pattern: string, names: Names): (method: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 'i');
  return (method) => expression.test(method) || expression.test(names.theirsDotted(method));
}

/** Patterns that stand for no method. */
export function unknownMethods(
  path: Path,
  rows: Patterns,
  { names, methods: known }: Pick<ConfigWords, 'names' | 'methods'>,
): ConfigProblem[] {
  return Object.entries(rows).flatMap(([name, { methods }]) =>
    methods.flatMap((pattern, index) => {
      if (known.some(matcherOf(pattern, names))) return [];
      const message = 'is no method, nor a pattern of any';
      const cure = 'docs/reference/methods.md lists them; * stands for any part of a name';
      return [{ path: [...path, name, 'methods', index], message, cure }];
    }),
  );
}
