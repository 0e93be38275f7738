/** Domains: a name for a search base and the groups that may log in there (docs/concepts/dialects-and-names.md#domain). */
import type { ServiceConfig } from '../config/config.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { Dn } from '../foundation/text/dn.ts';

export interface Domain {
  /** The name, as spelled in the configuration. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly base: Dn;
  readonly loginAttributes: readonly string[];
  readonly allowedGroups: readonly Dn[];
  readonly excludedGroups: readonly Dn[];
  /** The search base of groups; undefined for the base of the directory. */
  readonly groupsBase: Dn | undefined;
}

export class Domains {
  readonly all: readonly Domain[];
  /** The domain of a login without a domain. */
  readonly preset: Domain;
  /** The bases of all domains, without those below another, so that each entry is in one. */
  readonly bases: readonly Dn[];
  /** Domains by their names and aliases in lower case. */
  readonly #byName: ReadonlyMap<string, Domain>;

  constructor(config: ServiceConfig) {
    this.all = Object.entries(config.domains).map(([name, row]) => ({
      name,
      aliases: row.aliases,
      base: Dn.parse(row.base),
      loginAttributes: row.login_attributes,
      allowedGroups: row.allowed_groups.map((dn) => Dn.parse(dn)),
      excludedGroups: row.excluded_groups.map((dn) => Dn.parse(dn)),
      groupsBase: row.groups_base === undefined ? undefined : Dn.parse(row.groups_base),
    }));
    this.#byName = new Map(
      this.all.flatMap((domain) =>
        [domain.name, ...domain.aliases].map((name) => [name.toLowerCase(), domain] as const),
      ),
    );
    this.preset = this.get(config.default_domain);
    this.bases = outermost(this.all.map(({ base }) => base));
  }

  /** Finds a domain by name or alias, in any case. */
  find(name: string): Domain | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  /** Returns a domain. @throws ServiceError `not_found`: `Domain '<name>' not existing` */
  get(name: string): Domain {
    const domain = this.find(name);
    if (!domain) throw new ServiceError('not_found', { detail: `Domain '${name}' not existing` });
    return domain;
  }

  /** Returns the domains whose base holds an entry. */
  containing(dn: Dn): readonly Domain[] {
    return this.all.filter((domain) => dn.isWithin(domain.base));
  }

  /**
   * Returns the search bases of an entry's groups, none below another.
   * @param whole the base of the entry's directory
   */
  groupBases(dn: Dn, whole: Dn): readonly Dn[] {
    const bases = this.containing(dn).map(({ groupsBase = whole }) => groupsBase);
    return bases.length > 1 ? outermost(bases) : [bases[0] ?? whole];
  }
}

function outermost(all: readonly Dn[]): readonly Dn[] {
  const bases = [...new Map(all.map((base) => [base.key, base])).values()];
  return bases.filter((base) => !bases.some((other) => other !== base && base.isWithin(other)));
}
