/**
 * Groups in which an entry counts: the one answer for all that decide by groups. Direct groups,
 * the primary group, and groups that hold one of them. A group that cannot be looked for is an error, never a silent no: an
 * excluded user is not let in because of it.
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

/** Milliseconds for which groups are believed, as {@link GroupSettings} believes that there are none. */
const believed = 1_000;
/** Entries and sets of groups in memory; the cache is cleared when it is full. */
const inMemory = { capacity: 10_000, lifetime: believed };
/** Bounds of one answer: an entry beyond them is refused. Active Directory lets nobody log in with more than 1,015. */
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
  /** When it was asked. */
  since: number;
  readonly groups: Promise<readonly Entry[]>;
}

/** Where and how groups are looked for. */
interface Place {
  readonly vendor: Capabilities['vendor'];
  readonly bases: readonly Dn[];
}

export class Memberships {
  readonly #parts: Parts;
  /** By entries as they were read: an entry is read anew for each question. */
  readonly #answers = new WeakMap<Entry, Promise<readonly Entry[]>>();
  /** The keys of entries of logins, whose groups are kept once they are there. */
  readonly #keys = new WeakMap<Entry, string>();
  #known = new ExpiringCache<Known>(inMemory);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns where the groups of an entry are looked for, none below another. */
  async bases(dn: Dn): Promise<readonly Dn[]> {
    return this.basesIn(dn, await this.#parts.server.capabilities(dn));
  }

  /** {@link bases}, in a directory whose capabilities are known. */
  basesIn(dn: Dn, { base }: Pick<Capabilities, 'base'>): readonly Dn[] {
    return this.#parts.domains.groupBases(dn, base);
  }

  /**
   * Finds the groups in which an entry counts, the farthest first and direct ones last: each with its settings and its classes,
   * where the service may read them.
   * @param entry read with {@link memberAttributes}; what only Active Directory has is read if it lacks
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
   * Has the groups of an entry taken from memory where they were asked for within a second: for logins. Another `memberOf` or
   * number of the entry counts at once.
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

  /** Returns whether the groups of an entry have been looked for already. */
  isKnown(entry: Entry): boolean {
    return this.#answers.has(entry);
  }

  /** Reads an entry as {@link of} takes it; undefined: there is none. */
  async read(dn: Dn): Promise<Entry | undefined> {
    const { vendor } = await this.#parts.server.capabilities(dn);
    return this.#parts.server.service.read(dn, memberAttributes(this.#parts.schema, vendor));
  }

  /**
   * Returns those of the groups in which an entry counts, wherever they stand: a group elsewhere is asked for the entry and for
   * its groups, and so is one whose name the directory may know in spellings that we do not. A group that does not exist has
   * nobody in it.
   * @param entry as {@link of} takes it
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

  /** Empties the cache: after each write that can change it. */
  forget(): void {
    this.#known = new ExpiringCache(inMemory);
  }

  async #find(entry: Entry): Promise<readonly Entry[]> {
    const dn = Dn.parse(entry.dn);
    const { vendor, base } = await this.#parts.server.capabilities(dn);
    const place = { vendor, bases: this.#parts.domains.groupBases(dn, base) };
    if (vendor === 'active-directory') return this.#findInChain(entry, place);
    const direct = await this.#holders([entry], place);
    return [...(await this.#lately(direct, place)).toReversed(), ...direct];
  }

  /** Active Directory follows groups in groups itself, but not from a primary group, nor from one that names login names. */
  async #findInChain(entry: Entry, place: Place): Promise<readonly Entry[]> {
    const isWhole = entry.attributes.has('primarygroupid') && entry.attributes.has('objectsid');
    const user = isWhole ? entry : ((await this.read(Dn.parse(entry.dn))) ?? entry);
    const found = await this.#holders([user], place);
    const sid = primarySid(user);
    const isPrimary = ({ attributes }: Entry) =>
      sid !== undefined && (attributes.get('objectsid') ?? []).some((value) => sameValue(value, sid));
    const above = await this.#lately(
      found.filter((group) => isPrimary(group) || hasClass(group, ['posixGroup'])),
      place,
    );
    const named = new Set(groupsNamedBy(user, this.#parts.schema).map(({ key }) => key));
    const isDirect = (group: Entry) => isPrimary(group) || named.has(Dn.parse(group.dn).key);
    const all = distinct([...found, ...above]);
    return [...all.filter((group) => !isDirect(group)), ...all.filter(isDirect)];
  }

  /** The groups above groups, from memory while that is young: they are the same for all members. */
  #lately(groups: readonly Entry[], place: Place): Promise<readonly Entry[]> {
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
    // A group that the service may not read counts by its name.
    return [...found, ...elsewhere.map((name, at) => read[at] ?? unread(name))];
  }

  /** Returns what is read of groups. */
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

  /** @returns the group if it holds one of the entries */
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

/** Returns whether every directory reads a name as we do: of usual types, in ASCII, with single spaces. */
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
