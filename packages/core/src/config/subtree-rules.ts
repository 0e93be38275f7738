/**
 * Roles and option sets are set on something of the directory. One beside it would grant nothing or, worse, restrict
 * nothing, and nobody would notice.
 */
import { Dn } from '../text/dn.ts';
import { type DirectoriesSettings, namedDirectories } from './directory-rules.ts';
import type { ConfigProblem } from './problems.ts';
import type { Path } from './schema-node.ts';

/** The settings that this rule looks at. */
export interface PlacedSettings extends DirectoriesSettings {
  readonly roles: Readonly<Record<string, { readonly subtrees: readonly string[] }>>;
  readonly option_sets: Readonly<Record<string, { readonly subtree: string }>>;
}

export function misplaced(config: PlacedSettings): ConfigProblem[] {
  const { roles, option_sets } = config;
  const bases = namedDirectories(config).map(({ directory }) => Dn.parse(directory.base));
  const judge = (path: Path, text: string): ConfigProblem[] => {
    const dn = Dn.parse(text);
    if (bases.some((base) => dn.isWithin(base) || base.isWithin(dn))) return [];
    const cure = `write a DN at or below ${bases.join(' or ')}`;
    return [{ path, message: 'is outside the directory', cure }];
  };
  return [
    ...Object.entries(roles).flatMap(([name, { subtrees }]) =>
      subtrees.flatMap((subtree, index) => judge(['roles', name, 'subtrees', index], subtree)),
    ),
    ...Object.entries(option_sets).flatMap(([name, { subtree }]) =>
      judge(['option_sets', name, 'subtree'], subtree),
    ),
  ];
}
