/**
 * Patterns of methods, as roles and option sets name them. They have to stand for some method: a misspelled one would
 * grant nothing, or restrict nothing, and nobody would notice.
 */
import type { Names } from '../table/dialect.ts';
import type { ConfigProblem } from './problems.ts';
import type { ConfigWords } from './references.ts';
import type { Path } from './schema-node.ts';

/** Roles or option sets: what is looked at of them. */
export type Patterns = Readonly<
  Record<string, { readonly methods: readonly string[]; readonly read: readonly string[] }>
>;

/**
 * Judges whether a pattern stands for a method, by its name in our words or in the installation's, without regard to
 * case.
 */
export function matcherOf(pattern: string, names: Names): (method: string) => boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 'i');
  return (method) => expression.test(method) || expression.test(names.theirsDotted(method));
}

/** Secrets of user data that a role or an option set names, and that no application could have. */
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
