/**
 * An oracle of roles and option sets, written from their definition (docs/guide) and a few lines on each method, without
 * `administration/access/`: the matrix test compares with it.
 */

/** Permissions as in the configuration. */
export interface PermissionRow {
  readonly methods: string[];
  readonly read: string[];
  readonly write: string[];
  readonly create: string[];
}

export interface RoleRow extends PermissionRow {
  readonly subtrees: string[];
}

export interface OptionSetRow extends PermissionRow {
  readonly subtree: string;
  readonly restricts: ('entries' | 'administrators')[];
}

/** The callers and the rules. All DNs have one spelling. */
export interface Situation {
  readonly caller: string;
  /** Left out: a super administrator. */
  readonly roles?: Readonly<Record<string, RoleRow>>;
  readonly optionSets: readonly OptionSetRow[];
  /** Other administrators: `super`, or the names of their roles. */
  readonly administrators: Readonly<Record<string, 'super' | readonly string[]>>;
  /** Those of them whom the configuration names, each of which may be a group. */
  readonly listed: readonly string[];
  /** Entries with others below them. */
  readonly containers: readonly string[];
  /** The bases of all domains. */
  readonly bases: readonly string[];
}

/** The effect of one call of a method. */
export interface Touch {
  /** The entry that it is about, and what of it is looked at and changed. */
  readonly on?: string;
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly creates?: readonly string[];
  /** The password is set. */
  readonly password?: true;
  /** The call changes the entry, or reveals its secrets. */
  readonly changes?: true;
  /** The name that the entry gets. */
  readonly to?: string;
  /** Attributes that a search over the whole domain asks for. */
  readonly asks?: readonly string[];
  /** The user whom it has to find by its `uid`. */
  readonly finds?: string;
  /** The call is for super administrators. */
  readonly superOnly?: true;
  /** The call answers about the caller only. */
  readonly self?: true;
  /** Nobody has said what it reads and writes. */
  readonly vague?: true;
}

/**
 * `missing`: the answer is that there is no such user, as it would be if there were none. `either`: it depends on what
 * the method reads and writes.
 */
export type Verdict = 'allowed' | 'denied' | 'missing' | 'either';

const passwords = ['userpassword', 'unicodepwd'];
const alwaysRead = ['objectclass', 'entryuuid'];

/** User data have a dot in their names. */
const isDatum = (attribute: string): boolean => attribute.includes('.');

const isWithin = (dn: string, subtree: string): boolean => dn === subtree || dn.endsWith(`,${subtree}`);

/** `*` is any part of a name. */
export function isLike(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  let left = name.toLowerCase();
  if (!left.startsWith(first)) return false;
  if (rest.length === 0) return left === first;
  left = left.slice(first.length);
  const last = rest.pop() ?? '';
  for (const piece of rest) {
    const at = left.indexOf(piece);
    if (at < 0) return false;
    left = left.slice(at + piece.length);
  }
  return left.endsWith(last);
}

export class Oracle {
  readonly #situation: Situation;

  constructor(situation: Situation) {
    this.#situation = situation;
  }

  verdict(method: string, touch: Touch): Verdict {
    if (touch.self) return 'allowed';
    if (!this.#admits(method) || (touch.superOnly && this.#situation.roles)) return 'denied';
    const as = new Caller(method, this.#situation);
    if (touch.asks?.some((attribute) => !as.readsSomewhere(attribute))) return 'denied';
    if (touch.finds !== undefined && !(as.holds(touch.finds) && as.reads(touch.finds, 'uid')))
      return 'missing';
    if (touch.vague) return this.#vagueVerdict(as, touch);
    if (touch.on === undefined) return 'allowed';
    return as.mayTouch(touch.on, touch) ? 'allowed' : 'denied';
  }

  /** Returns the entries that a search finds by an attribute; undefined: it is refused. */
  found(
    method: string,
    base: string,
    of: { dns: readonly string[]; attribute: string },
  ): string[] | undefined {
    const as = new Caller(method, this.#situation);
    const starts = as.holds(base) || as.subtrees.some((subtree) => isWithin(subtree, base));
    if (!this.#admits(method) || !as.readsSomewhere(of.attribute) || !starts) return undefined;
    return of.dns.filter((dn) => isWithin(dn, base) && as.mayTouch(dn, { reads: [of.attribute] }));
  }

  /** Judges where only extremes are known: without any right refused, with all rights not. */
  #vagueVerdict(as: Caller, { on, ...touch }: Touch): Verdict {
    if (on === undefined) return this.#situation.roles ? 'either' : 'allowed';
    if (!as.mayTouch(on, touch)) return 'denied';
    const all = ['anything', 'userpassword'];
    const everything = { ...touch, reads: all, writes: all, creates: ['anything'], changes: true } as const;
    return as.mayTouch(on, everything) ? 'allowed' : 'either';
  }

  #admits(method: string): boolean {
    const { roles } = this.#situation;
    const grants = roles ? Object.values(roles) : undefined;
    const granted = !grants || grants.some(({ methods }) => methods.some((one) => isLike(method, one)));
    return granted && ownSets(this.#situation).every(({ methods }) => methods.some((p) => isLike(method, p)));
  }
}

/** Option sets that hold for the caller wherever it works. */
const ownSets = ({ caller, optionSets }: Situation): readonly OptionSetRow[] =>
  optionSets.filter(
    ({ subtree, restricts }) => restricts.includes('administrators') && isWithin(caller, subtree),
  );

class Caller {
  readonly #method: string;
  readonly #situation: Situation;
  /** The roles that have the method; undefined: a super administrator. */
  readonly #roles: readonly RoleRow[] | undefined;

  constructor(method: string, situation: Situation) {
    this.#method = method;
    this.#situation = situation;
    this.#roles =
      situation.roles &&
      Object.values(situation.roles).filter(({ methods }) => methods.some((one) => isLike(method, one)));
  }

  get subtrees(): readonly string[] {
    return this.#roles ? this.#roles.flatMap(({ subtrees }) => subtrees) : this.#situation.bases;
  }

  holds(dn: string): boolean {
    return this.#may(dn, { granted: () => true, left: () => true });
  }

  reads(dn: string, attribute: string): boolean {
    if (isDatum(attribute) && !this.#roles) return true;
    return this.#may(dn, {
      granted: (role) => reads(role, attribute, grantsPlain(attribute)),
      left: (set) => reads(set, attribute, true),
    });
  }

  readsSomewhere(attribute: string): boolean {
    return !this.#roles || this.#roles.some((role) => reads(role, attribute, grantsPlain(attribute)));
  }

  writes(dn: string, attribute: string): boolean {
    return this.#may(dn, {
      granted: (role) => attribute !== 'memberof' && names(role.write, attribute, grantsPlain(attribute)),
      left: (set) => names(set.write, attribute, true),
    });
  }

  mayTouch(dn: string, touch: Touch): boolean {
    const { reads: read = [], writes = [], creates = [], changes, to } = touch;
    const places = to === undefined ? [dn] : [dn, to];
    if (!places.every((place) => this.holds(place))) return false;
    const isGuarded = changes || read.some((attribute) => passwords.includes(attribute));
    if (isGuarded && places.some((place) => this.#isSuperior(place))) return false;
    if (to !== undefined && !this.#mayRename(dn, to)) return false;
    if (touch.password && !this.writes(dn, 'userpassword') && !this.writes(dn, 'unicodepwd')) return false;
    return (
      read.every((attribute) => this.reads(dn, attribute)) &&
      places.every((place) => writes.every((attribute) => this.writes(place, attribute))) &&
      places.every((place) => creates.every((name) => this.#creates(place, name)))
    );
  }

  #creates(dn: string, name: string): boolean {
    const has = (row: PermissionRow) => names(row.create, name, true);
    return this.#may(dn, { granted: has, left: has });
  }

  /** Some role grants it there, and every option set that holds there leaves it. */
  #may(
    dn: string,
    { granted, left }: { granted: (role: RoleRow) => boolean; left: (set: OptionSetRow) => boolean },
  ): boolean {
    const isGranted =
      !this.#roles || this.#roles.some((role) => role.subtrees.some((s) => isWithin(dn, s)) && granted(role));
    const own = ownSets(this.#situation);
    const there = this.#situation.optionSets.filter(
      ({ subtree, restricts }) => restricts.includes('entries') && isWithin(dn, subtree),
    );
    return (
      isGranted &&
      [...own, ...there].every(
        (set) => set.methods.some((pattern) => isLike(this.#method, pattern)) && left(set),
      )
    );
  }

  /** Has rights that the caller has not, or none of the restrictions that it has. */
  #isSuperior(dn: string): boolean {
    const { administrators, roles, caller, listed, bases } = this.#situation;
    const mandate = administrators[dn];
    if (mandate === undefined) return false;
    if (roles && (mandate === 'super' || mandate.some((name) => !Object.hasOwn(roles, name)))) return true;
    return ownSets(this.#situation).some(({ subtree }) => {
      const holdsForAll = bases.every((base) => isWithin(base, subtree));
      return !isWithin(dn, subtree) || (listed.includes(dn) && dn !== caller && !holdsForAll);
    });
  }

  #mayRename(from: string, to: string): boolean {
    const { roles, optionSets, containers, administrators } = this.#situation;
    const own = ownSets(this.#situation);
    const gains = Object.values(roles ?? {}).some(({ subtrees }) => {
      const [before, after] = [from, to].map((dn) => subtrees.some((subtree) => isWithin(dn, subtree)));
      return after && !before;
    });
    const escapes =
      administrators[from] !== undefined &&
      own.some(({ subtree }) => isWithin(from, subtree) && !isWithin(to, subtree));
    const isRestricted = roles || own.length > 0 || optionSets.some(restrictsEntries);
    const isNamed = isRestricted && optionSets.some(({ subtree }) => isWithin(subtree, from));
    const isFree =
      !roles &&
      own.length === 0 &&
      !optionSets
        .filter(restrictsEntries)
        .some(({ subtree }) => isWithin(from, subtree) || isWithin(to, subtree));
    return !gains && !escapes && !isNamed && (isFree || !containers.includes(from));
  }
}

const restrictsEntries = ({ restricts }: OptionSetRow): boolean => restricts.includes('entries');

/** Returns whether a role's `*` covers an attribute: no password, no secret of user data, no numeric OID. */
const grantsPlain = (attribute: string): boolean =>
  /^[a-z]/.test(attribute) && !passwords.includes(attribute) && !isDatum(attribute);

const names = (row: readonly string[], name: string, byStar: boolean): boolean =>
  row.some((one) => one.toLowerCase() === name.toLowerCase() || (one === '*' && byStar));

/** Returns whether a row reads an attribute: writers see it, unless it is a password. */
function reads(row: PermissionRow, attribute: string, byStar: boolean): boolean {
  return (
    alwaysRead.includes(attribute) ||
    names(row.read, attribute, byStar) ||
    (!passwords.includes(attribute) && !isDatum(attribute) && names(row.write, attribute, byStar))
  );
}
