/**
 * Enforces the licence as a directory layer: each method that makes an entry an active user takes a seat, and all other calls pass.
 * Without a licence there is no such layer.
 */
import type { Schema } from '../../config/config.ts';
import type { Domains } from '../../directory/domain.ts';
import { activeFilter } from '../../directory/entry/user.ts';
import { wrapIdentities } from '../../directory/wrap-identities.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn, Rdn } from '../../foundation/text/dn.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Change, Directory, DirectoryServer } from '../../ports/directory/directory.ts';
import type { License } from '../../ports/license.ts';
import type { Store } from '../../ports/store/store.ts';
import { ActiveClasses, classesAmong, classesOfRdn } from './active-classes.ts';
import { Seats } from './seats.ts';

export interface Limited {
  readonly license: License | undefined;
  readonly domains: Domains;
  readonly schema: Schema;
  readonly store: Store;
  readonly clock: Clock;
}

export function withLicense(server: DirectoryServer, { license, ...ports }: Limited): DirectoryServer {
  if (!license) return server;
  const activations = new Activations(server, { license, ...ports });
  return wrapIdentities(server, (directory) => ({
    identity: directory.identity,
    search: (request) => directory.search(request),
    children: (request) => directory.children(request),
    read: (dn, attributes) => directory.read(dn, attributes),
    add: (dn, attributes) =>
      activations.ofNew([...classesAmong(attributes), ...classesOfRdn(dn.rdn)], () =>
        directory.add(dn, attributes),
      ),
    modify: (dn, changes) =>
      activations.of({ dn, directory, given: classesGiven(changes) }, () => directory.modify(dn, changes)),
    rename: (dn, to) => activations.ofRenamed({ dn, directory, rdn: to.rdn }, () => directory.rename(dn, to)),
    remove: (dn) => directory.remove(dn),
    setPassword: (dn, password, options) => directory.setPassword(dn, password, options),
    assertWritable: (dn, attribute) => directory.assertWritable(dn, attribute),
    close: () => directory.close(),
  }));
}

function classesGiven(changes: readonly Change[]): readonly string[] {
  const gifts = changes.filter(({ operation }) => operation !== 'delete');
  return classesAmong(gifts.map(({ attribute, values }) => [attribute, values] as const));
}

type Write = () => Promise<void>;

/** An entry as somebody sees it who changes it. */
interface Seen {
  readonly dn: Dn;
  readonly directory: Directory;
}

/** Tells who becomes active by a change, and lets the change be made where there is a place for them. */
class Activations {
  readonly #server: Pick<DirectoryServer, 'service' | 'capabilities'>;
  readonly #domains: Domains;
  readonly #schema: Schema;
  readonly #classes: ActiveClasses;
  readonly #seats: Seats;

  /** @param server with a service that sees all users, for every caller */
  constructor(
    server: DirectoryServer,
    { domains, schema, ...ports }: Limited & { readonly license: License },
  ) {
    this.#server = server;
    this.#domains = domains;
    this.#schema = schema;
    this.#classes = new ActiveClasses(schema);
    this.#seats = new Seats({ ...ports, count: () => this.#countBelow(domains.bases) });
  }

  async ofNew(classes: readonly string[], write: Write): Promise<void> {
    if (!this.#classes.mayBeActive(classes)) return write();
    return this.#seats.admit({ newcomers: async () => 1, write });
  }

  async of({ given, ...seen }: Seen & { readonly given: readonly string[] }, write: Write): Promise<void> {
    if (!this.#classes.matter(given)) return write();
    return this.#seats.admit({ newcomers: () => this.#becomesActive(seen, given), write });
  }

  /** Users who stand in no domain are not counted: those who are moved into one come in. */
  async ofRenamed({ rdn, ...seen }: Seen & { readonly rdn: Rdn }, write: Write): Promise<void> {
    const given = classesOfRdn(rdn);
    const comesFromOutside = !this.#domains.bases.some((base) => seen.dn.isWithin(base));
    if (!comesFromOutside) return this.of({ ...seen, given }, write);
    const newcomers = async () =>
      (await this.#countBelow([seen.dn])) +
      (this.#classes.matter(given) ? await this.#becomesActive(seen, given) : 0);
    return this.#seats.admit({ newcomers, write });
  }

  /** 1 or 0. @throws ServiceError `not_found`, which is said before anything else */
  async #becomesActive({ dn, directory }: Seen, given: readonly string[]): Promise<number> {
    const read = (view: Directory) => view.read(dn, ['objectClass']);
    const entry = (await read(this.#server.service)) ?? (await read(directory));
    if (!entry) throw new ServiceError('not_found');
    const classes = classesAmong(entry.attributes);
    return !this.#classes.isActive(classes) && this.#classes.mayBeActive([...classes, ...given]) ? 1 : 0;
  }

  async #countBelow(bases: readonly Dn[]): Promise<number> {
    let users = 0;
    for (const base of bases) users += await this.#countOne(base);
    return users;
  }

  async #countOne(base: Dn): Promise<number> {
    const { vendor } = await this.#server.capabilities(base);
    const filter = activeFilter(this.#schema, vendor);
    try {
      return (await this.#server.service.search({ base, scope: 'sub', filter, attributes: ['1.1'] })).length;
    } catch (error) {
      if (isReason(error, 'not_found')) return 0; // a base that is missing holds no users
      throw error;
    }
  }
}
