/** Rules for the directories of the bundled servers. */
import { Dn } from '../foundation/text/dn.ts';
import type { ConfigProblem } from './problems.ts';
import type { Path } from './schema-node.ts';

export interface DirectoriesSettings {
  readonly directory: DirectorySettings;
  readonly directories: Readonly<Record<string, DirectorySettings>>;
}

type DirectorySettings = LdapSettings | { readonly type: 'embedded'; readonly base: string };

interface LdapSettings {
  readonly type: 'ldap';
  readonly base: string;
  readonly urls: readonly string[];
  readonly start_tls: boolean;
  readonly allow_plain: boolean;
  readonly bind_password?: string | undefined;
  readonly bind_password_file?: string | undefined;
}

interface Named<T> {
  readonly path: Path;
  readonly directory: T;
}

/** Returns all directories of a configuration with the paths of their settings, the main one first. */
export function namedDirectories<T>(config: {
  readonly directory: T;
  readonly directories: Readonly<Record<string, T>>;
}): readonly Named<T>[] {
  const others = Object.entries(config.directories).map(([name, directory]) => ({
    path: ['directories', name],
    directory,
  }));
  return [{ path: ['directory'], directory: config.directory }, ...others];
}

/** Maps the directories of a configuration. */
export function eachDirectory<T>(
  config: { readonly directory: T; readonly directories: Readonly<Record<string, T>> },
  change: (named: Named<T>) => T,
): { directory: T; directories: Record<string, T> } {
  const names = Object.keys(config.directories);
  const [directory = config.directory, ...others] = namedDirectories(config).map(change);
  return { directory, directories: Object.fromEntries(others.map((other, n) => [names[n], other])) };
}

export function directoryRules(config: DirectoriesSettings): ConfigProblem[] {
  const all = namedDirectories(config);
  const single = all.flatMap(({ path, directory }) =>
    directory.type === 'ldap' ? [...transport(path, directory), ...binding(path, directory)] : [],
  );
  return [...single, ...overlappingBases(all), ...embeddedTwice(all)];
}

/** Finds overlapping bases: the base determines the directory of an entry, and a search stays in one directory. */
function overlappingBases(all: readonly Named<DirectorySettings>[]): ConfigProblem[] {
  const bases = all.map(({ directory }) => Dn.tryParse(directory.base) ?? Dn.root);
  const overlaps = (one: Dn, other: Dn) => one.isWithin(other) || other.isWithin(one);
  return all
    .filter((_, index) =>
      bases.some((base, before) => before < index && overlaps(base, bases[index] ?? Dn.root)),
    )
    .map(({ path }) => ({
      path: [...path, 'base'],
      message: 'is at, above or below the base of another directory',
      cure: 'give each directory a base apart from those of the others',
    }));
}

function embeddedTwice(all: readonly Named<DirectorySettings>[]): ConfigProblem[] {
  const [, ...more] = all.filter(({ directory }) => directory.type === 'embedded');
  return more.map(({ path }) => ({
    path: [...path, 'type'],
    message: 'is embedded, and so is another directory',
    cure: 'keep one of the two',
  }));
}

/** Finds connections that would send passwords in clear. */
function transport(path: Path, { urls, start_tls, allow_plain }: LdapSettings): ConfigProblem[] {
  return urls.flatMap((url, index) => {
    const at = [...path, 'urls', index];
    const isTls = url.toLowerCase().startsWith('ldaps:');
    if (isTls && start_tls) {
      const cure = 'use ldap:// with start_tls, or turn start_tls off';
      return [{ path: at, message: 'is ldaps:// and start_tls is on', cure }];
    }
    if (isTls || start_tls || allow_plain) return [];
    const own = path.join('.');
    const cure = `use ldaps://, turn on ${own}.start_tls, or set ${own}.allow_plain if the network is yours alone`;
    return [{ path: at, message: 'would send passwords in clear', cure }];
  });
}

/** Checks the identity of the service, which finds users before they log in. */
function binding(path: Path, { bind_password, bind_password_file }: LdapSettings): ConfigProblem[] {
  const at = [...path, 'bind_password_file'];
  if (bind_password !== undefined && bind_password_file !== undefined)
    return [{ path: at, message: 'stands beside bind_password', cure: 'keep one of the two' }];
  if (bind_password !== undefined || bind_password_file !== undefined) return [];
  return [{ path: at, message: 'is missing', cure: 'name a file with the password of bind_dn' }];
}
