/**
 * Rules for the subtrees of roles and option sets. A subtree outside the directory would grant or restrict nothing, unnoticed.
 */
import { Dn } from '../foundation/text/dn.ts';
import { type DirectoriesSettings, namedDirectories } from './directory-rules.ts';
import type { ConfigProblem } from './problems.ts';
import type { Path } from './schema-node.ts';

export interface PlacedSettings extends DirectoriesSettings {
  readonly domains: Readonly<Record<string, { readonly base: string }>>;
  readonly roles: Readonly<Record<string, { readonly subtrees: readonly string[] }>>;
  readonly option_sets: Readonly<Record<string, { readonly subtree: string }>>;
}

export function misplaced(config: PlacedSettings): ConfigProblem[] {
  const { roles, option_sets, domains } = config;
  const all = namedDirectories(config);
  const bases = all.map(({ directory }) => Dn.parse(directory.base));
  const judge = (path: Path, text: string): ConfigProblem[] => {
    const dn = Dn.parse(text);
    if (bases.some((base) => dn.isWithin(base) || base.isWithin(dn))) return [];
    const cure = `write a DN at or below ${bases.join(' or ')}`;
    return [{ path, message: 'is outside the directory', cure }];
  };
  // An LDAP server may have entries outside the configured base, so it is asked.
  const isOurs = all.every(({ directory }) => directory.type === 'embedded');
  const outside = Object.entries(domains).filter(
    ([, { base }]) => isOurs && !bases.some((one) => Dn.parse(base).isWithin(one)),
  );
  return [
    ...outside.map(([name]) => ({
      path: ['domains', name, 'base'],
      message: 'is outside the directory',
      cure: `write a DN at or below ${bases.join(' or ')}`,
    })),
    ...Object.entries(roles).flatMap(([name, { subtrees }]) =>
      subtrees.flatMap((subtree, index) => judge(['roles', name, 'subtrees', index], subtree)),
    ),
    ...Object.entries(option_sets).flatMap(([name, { subtree }]) =>
      judge(['option_sets', name, 'subtree'], subtree),
    ),
  ];
}
