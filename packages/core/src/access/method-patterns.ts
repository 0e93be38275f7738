/**
 * The methods that roles and option sets name have to be there: a misspelled one would grant nothing, or restrict
 * nothing, and nobody would notice. Judged when a service starts, as the configuration does not know the table.
 */
import { ConfigError, type ConfigProblem, type ServiceConfig } from '../config.ts';
import { Names } from '../dialect.ts';
import { matcherOf } from './permissions.ts';

type Patterns = Readonly<Record<string, { readonly methods: readonly string[] }>>;

/** @param methods the names of all methods, in our words. @throws ConfigError */
export function checkMethodPatterns(
  config: Pick<ServiceConfig, 'roles' | 'option_sets' | 'names'>,
  methods: readonly string[],
): void {
  const names = new Names(config.names);
  const isKnown = (pattern: string) => methods.some(matcherOf(pattern, names));
  const problems = [
    ...unknownMethods('roles', config.roles, isKnown),
    ...unknownMethods('option_sets', config.option_sets, isKnown),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
}

function unknownMethods(
  setting: string,
  rows: Patterns,
  isKnown: (pattern: string) => boolean,
): readonly ConfigProblem[] {
  return Object.entries(rows).flatMap(([name, { methods }]) =>
    methods.flatMap((pattern, index) => {
      if (isKnown(pattern)) return [];
      const message = 'is no method, nor a pattern of any';
      const cure = 'docs/reference/methods.md lists them; * stands for any part of a name';
      return [{ path: [setting, name, 'methods', index], message, cure }];
    }),
  );
}
