/**
 * The effective groups of an entry (docs/decisions/0040-one-function-answers-groups.md): direct groups, the primary group, and groups that
 * hold one of them. A failed search is an error, never a silent no, which could admit an excluded user.
 */

import type { Schema } from '../../config/config.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { ExpiringCache } from '../../foundation/runtime/bounded-cache.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Filter } from '../../foundation/text/filter.ts';
import { type AttributeValue, sameValue } from '../../foundation/text/value.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Capabilities, DirectoryServer, Entry } from '../../ports/directory/directory.ts';
import type { Domains } from '../domain.ts';
import { hasClass } from '../entry/entry.ts';
import { groupsNamedBy, holderFilter, memberAttributes, primarySid } from '../entry/group.ts';

/** The lifetime of cached groups in milliseconds, as that of `none` in {@link GroupSettings}. */
const believed = 1_000;
/** Entries and sets of groups in memory; the cache is cleared when it is full. */
const inMemory = { capacity: 10_000, lifetime: believed };
/** Bounds of the groups of an entry: beyond them it is refused. Active Directory has a limit of 1,015. */
const mostGroups = 5_000;
const mostLevels = 32;
/** Members in one filter. */
const together = 64;

interface Parts {
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
  readonly schema: Schema;
  readonly domains: Pick<Domains, 'groupBases'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface Known {
  /** The time of the search, in milliseconds since 1970. */
  since: number;
  readonly groups: Promise<readonly Entry[]>;
}

/** The directory and bases of a search. */
interface Place {
  readonly vendor: Capabilities['vendor'];
  readonly bases: readonly Dn[];
}

export class Memberships {
  readonly #parts: Parts;
  /** Answers by entry object: an entry is read for each question. */
  readonly #answers = new WeakMap<Entry, Promise<readonly Entry[]>>();
  /** The cache keys of entries of logins. */
  readonly #keys = new WeakMap<Entry, string>();
  #known = new ExpiringCache<Known>(inMemory);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns the search bases of an entry's groups, none below another. */
  async bases(dn: Dn): Promise<readonly Dn[]> {
    return this.basesIn(dn, await this.#parts.server.capabilities(dn));
  }

  /** Returns {@link bases} for known capabilities. */
  basesIn(dn: Dn, { base }: Pick<Capabilities, 'base'>): readonly Dn[] {
    return this.#parts.domains.groupBases(dn, base);
  }

  /**
   * Finds the effective groups of an entry, the farthest first and direct ones last, with settings and classes that the service may read.
   * @param entry read with {@link memberAttributes}; missing attributes of Active Directory are read
   * @throws ServiceError `unavailable`, also beyond the bounds
   */
  of(entry: Entry): Promise<readonly Entry[]> {
    const known = this.#answers.get(entry);
    if (known) return known;
    const key = this.#keys.get(entry);
    const found = key === undefined ? this.#find(entry) : this.#keep(key, this.#find(entry));
    this.#answers.set(entry, found);
    return found;
  }

  /**
   * Permits cached groups for an entry of a login. A change of the entry's `memberOf` or numbers counts at once.
   */
  believe(entry: Entry): void {
    if (this.#answers.has(entry)) return;
    const names = memberAttributes(this.#parts.schema, 'active-directory');
    const values = names.map((name) => entry.attributes.get(name.toLowerCase())?.map(keyOf));
    const key = JSON.stringify([entry.dn, ...values]);
    const known = this.#young(key);
    if (known) this.#answers.set(entry, known);
    else this.#keys.set(entry, key);
  }

  /** Returns whether the groups of an entry have been searched. */
  isKnown(entry: Entry): boolean {
    return this.#answers.has(entry);
  }

  /** Reads an entry for {@link of}; undefined if it does not exist. */
  async read(dn: Dn): Promise<Entry | undefined> {
    const { vendor } = await this.#parts.server.capabilities(dn);
    return this.#parts.server.service.read(dn, memberAttributes(this.#parts.schema, vendor));
  }

  /**
   * Returns the groups of a list that an entry is effectively in. Groups outside the search bases, and names with spellings that only the
   * directory knows, are searched separately. A missing group is empty.
   * @param entry as for {@link of}
   */
  async among(entry: Entry, groups: readonly Dn[]): Promise<readonly Dn[]> {
    if (groups.length === 0) return [];
    const [all, bases] = await Promise.all([this.of(entry), this.bases(Dn.parse(entry.dn))]);
    const keys = new Set(all.map(({ dn }) => Dn.parse(dn).key));
    const isOpen = (group: Dn) =>
      !keys.has(group.key) && !(isPlain(group) && bases.some((base) => group.isWithin(base)));
    const asked = await Promise.all(
      groups.filter(isOpen).map((group) => this.#holdsAny(group, [entry, ...all])),
    );
    for (const group of asked) if (group) keys.add(group.key);
    return groups.filter(({ key }) => keys.has(key));
  }

  /** Clears the cache, after each write that can change it. */
  forget(): void {
    this.#known = new ExpiringCache(inMemory);
  }

  async #find(entry: Entry): Promise<readonly Entry[]> {
    const dn = Dn.parse(entry.dn);
    const { vendor, base } = await this.#parts.server.capabilities(dn);
    const place = { vendor, bases: this.#parts.domains.groupBases(dn, base) };
    if (vendor === 'active-directory') return this.#findInChain(entry, place);
    const direct = await this.#holders([entry], place);
    return [...(await this.#cachedAbove(direct, place)).toReversed(), ...direct];
  }

  /** Searches Active Directory, which follows nested groups, except from a primary group or one with login names. */
  async #findInChain(entry: Entry, place: Place): Promise<readonly Entry[]> {
    const isWhole = entry.attributes.has('primarygroupid') && entry.attributes.has('objectsid');
    const user = isWhole ? entry : ((await this.read(Dn.parse(entry.dn))) ?? entry);
    const found = await this.#holders([user], place);
    const sid = primarySid(user);
    const isPrimary = ({ attributes }: Entry) =>
      sid !== undefined && (attributes.get('objectsid') ?? []).some((value) => sameValue(value, sid));
    const above = await this.#cachedAbove(
      found.filter((group) => isPrimary(group) || hasClass(group, ['posixGroup'])),
      place,
    );
    const named = new Set(groupsNamedBy(user, this.#parts.schema).map(({ key }) => key));
    const isDirect = (group: Entry) => isPrimary(group) || named.has(Dn.parse(group.dn).key);
    const all = distinct([...found, ...above]);
    return [...all.filter((group) => !isDirect(group)), ...all.filter(isDirect)];
  }

  /** Finds the groups above groups, cached for all members. */
  #cachedAbove(groups: readonly Entry[], place: Place): Promise<readonly Entry[]> {
    if (groups.length === 0) return noGroups;
    const key = JSON.stringify([
      place.bases.map((base) => base.key),
      groups.map(({ dn }) => Dn.parse(dn).key).sort(),
    ]);
    return this.#young(key) ?? this.#keep(key, this.#climb(groups, place));
  }

  #young(key: string): Promise<readonly Entry[]> | undefined {
    const now = this.#parts.clock.now();
    const known = this.#known.get(key, now);
    return known && now >= known.since && now - known.since < believed ? known.groups : undefined;
  }

  #keep(key: string, groups: Promise<readonly Entry[]>): Promise<readonly Entry[]> {
    const now = this.#parts.clock.now();
    const answer = this.#known.keep(key, { since: now, groups }, now);
    groups.catch(() => {
      answer.since = Number.NEGATIVE_INFINITY;
    });
    return groups;
  }

  /** Finds the groups above groups, the nearest first, each once. */
  async #climb(groups: readonly Entry[], place: Place): Promise<readonly Entry[]> {
    const seen = new Set(groups.map(({ dn }) => Dn.parse(dn).key));
    const found: Entry[] = [];
    let level = groups;
    for (let levels = 0; level.length > 0; levels += 1) {
      if (levels === mostLevels) throw beyond(`nested more than ${mostLevels} levels deep`);
      const holders = await this.#holders(level, place);
      level = holders.filter(({ dn }) => !seen.has(Dn.parse(dn).key));
      for (const { dn } of level) seen.add(Dn.parse(dn).key);
      if (seen.size > mostGroups) throw beyond(`more than ${mostGroups}`);
      found.push(...level);
      if (place.vendor === 'active-directory') break;
    }
    return found;
  }

  /** Finds the groups that hold one of the entries, or that one of them names, each once. */
  async #holders(entries: readonly Entry[], place: Place): Promise<readonly Entry[]> {
    const { schema, server } = this.#parts;
    const filters = slices(entries).map((some) =>
      holderFilter(some, schema, place.vendor === 'active-directory'),
    );
    const searches = place.bases.flatMap((base) =>
      filters.map((filter) => this.#search(base, filter, place)),
    );
    const found = distinct((await Promise.all(searches)).flat());
    const keys = new Set(found.map(({ dn }) => Dn.parse(dn).key));
    const names = entries.flatMap((entry) => groupsNamedBy(entry, schema));
    const elsewhere = [...new Map(names.map((name) => [name.key, name])).values()].filter(
      ({ key }) => !keys.has(key),
    );
    if (keys.size + elsewhere.length > mostGroups) throw beyond(`more than ${mostGroups}`);
    const attributes = this.#attributes(place);
    const read = await Promise.all(elsewhere.map((name) => server.service.read(name, attributes)));
    // An unreadable group counts by its name.
    return [...found, ...elsewhere.map((name, at) => read[at] ?? unread(name))];
  }

  /** Returns the attributes to read of groups. */
  #attributes({ vendor }: Place): readonly string[] {
    const { settings_attribute, member_of_attributes } = this.#parts.schema;
    const ofAd = vendor === 'active-directory' ? ['objectSid'] : [];
    return ['objectClass', settings_attribute, ...member_of_attributes, ...ofAd];
  }

  async #search(base: Dn, filter: Filter, place: Place): Promise<readonly Entry[]> {
    const search = {
      ...({ base, scope: 'sub', filter, limit: mostGroups } as const),
      attributes: this.#attributes(place),
    };
    try {
      return await this.#parts.server.service.search(search);
    } catch (error) {
      if (isReason(error, 'too_large')) throw beyond(`more than ${mostGroups}`);
      if (!isReason(error, 'not_found')) throw error;
      throw new ServiceError('unavailable', {
        detail: `groups are looked for below ${base}, which is not there, or which the service may not see`,
        cause: error,
      });
    }
  }

  /** Reads a group. @returns undefined unless it holds one of the entries */
  async #holdsAny(group: Dn, entries: readonly Entry[]): Promise<Dn | undefined> {
    const { schema, server } = this.#parts;
    for (const some of slices(entries)) {
      const filter = holderFilter(some, schema);
      try {
        const search = { base: group, scope: 'base', filter, attributes: ['1.1'] } as const;
        if ((await server.service.search(search)).length > 0) return group;
      } catch (error) {
        if (!isReason(error, 'not_found')) throw error;
      }
    }
    return undefined;
  }
}

/** Returns whether every directory compares a name as we do: usual types, ASCII, single spaces. */
const isPlain = (dn: Dn): boolean =>
  dn.rdns.every((rdn) =>
    rdn.every(({ type, value }) => usualTypes.has(type.toLowerCase()) && usualValue.test(String(value))),
  );

const usualTypes = new Set(['cn', 'ou', 'dc', 'o', 'c', 'l', 'st', 'uid']);
const usualValue = /^[!-~]+(?: [!-~]+)*$/;

const keyOf = (value: AttributeValue): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('hex');

const noGroups: Promise<readonly Entry[]> = Promise.resolve([]);

const unread = (dn: Dn): Entry => ({ dn: dn.format(), attributes: new Map() });

const distinct = (groups: readonly Entry[]): readonly Entry[] =>
  groups.length < 2 ? groups : [...new Map(groups.map((group) => [Dn.parse(group.dn).key, group])).values()];

const beyond = (what: string): ServiceError =>
  new ServiceError('unavailable', { detail: `the groups of an entry are ${what}` });

function slices(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  if (entries.length <= together) return [entries];
  return Array.from({ length: Math.ceil(entries.length / together) }, (_, at) =>
    entries.slice(at * together, (at + 1) * together),
  );
}
