/**
 * Patterns of methods in roles and option sets. A pattern has to match a method: a misspelled one would grant or restrict nothing, unnoticed.
 */
import type { Names } from '../table/dialect.ts';
import type { ConfigProblem } from './problems.ts';
import type { ConfigWords } from './references.ts';
import type { Path } from './schema-node.ts';

/** The checked parts of roles or option sets. */
export type Patterns = Readonly<
  Record<string, { readonly methods: readonly string[]; readonly read: readonly string[] }>
>;

/**
 * Returns a function that matches a method by its name, in our words or the installation's, in any case.
 */
export function matcherOf(pattern: string, names: Names): (method: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 'i');
  return (method) => expression.test(method) || expression.test(names.theirsDotted(method));
}

/** Finds secrets of user data in roles or option sets that no application has. */
export function unknownData(
  path: Path,
  rows: Patterns,
  { names, applications }: Pick<ConfigWords, 'names' | 'applications'>,
): ConfigProblem[] {
  return Object.entries(rows).flatMap(([name, { read }]) =>
    read.flatMap((datum, index) => {
      const [application = ''] = names.oursDotted(datum).split('.', 1);
      if (!datum.includes('.') || Object.hasOwn(applications, application)) return [];
      const cure = `begin it with an application: ${Object.keys(applications).join(', ')}`;
      return [{ path: [...path, name, 'read', index], message: 'is user data of no application', cure }];
    }),
  );
}

/** Finds patterns that match no method. */
export function unknownMethods(
  path: Path,
  rows: Patterns,
  { names, methods: known }: Pick<ConfigWords, 'names' | 'methods'>,
): ConfigProblem[] {
  return Object.entries(rows).flatMap(([name, { methods }]) =>
    methods.flatMap((pattern, index) => {
      if (known.some(matcherOf(pattern, names))) return [];
      const message = 'is neither a method nor a pattern that matches one';
      const cure = 'docs/reference/methods.md lists them; * stands for any part of a name';
      return [{ path: [...path, name, 'methods', index], message, cure }];
    }),
  );
}
