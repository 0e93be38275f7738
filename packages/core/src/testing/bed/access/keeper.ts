/** Keeps the entries of the matrix as they were: what a call has changed of one is put back. */

import type { ManagerCalls } from '../../../doors/manager/methods.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Attributes } from '../../../foundation/text/value.ts';
import type { Ports } from '../../../ports/ports.ts';
import { buildWorld, places, type WorldEntry } from './world.ts';

export class Keeper {
  readonly #ports: Ports;
  /** A super administrator's. */
  readonly #manager: ManagerCalls;
  /** Certificate requests by DN, PEM. */
  readonly #requests: ReadonlyMap<string, string>;
  readonly #snapshots = new Map<string, Attributes>();
  readonly #serials = new Map<string, string>();

  private constructor(ports: Ports, manager: ManagerCalls, requests: ReadonlyMap<string, string>) {
    this.#ports = ports;
    this.#manager = manager;
    this.#requests = requests;
  }

  /** Makes the entries, and a certificate for each that there is a request for. */
  static async open(
    ports: Ports,
    manager: ManagerCalls,
    requests: ReadonlyMap<string, string>,
  ): Promise<Keeper> {
    const keeper = new Keeper(ports, manager, requests);
    await buildWorld(manager);
    for (const { dn } of places) {
      keeper.#snapshots.set(dn, await keeper.#attributesOf(dn));
      await keeper.#certify(dn);
      await keeper.#stock(dn);
    }
    return keeper;
  }

  /** Returns the serial number of a valid certificate; '' if the entry has none. */
  serial(dn: string): string {
    return this.#serials.get(dn) ?? '';
  }

  /** @param to the name that a call may have given the entry */
  async restore(place: WorldEntry, to: string | undefined): Promise<void> {
    await this.#putBack(place, to);
    await this.#mend(place.dn);
    const record = await this.#ports.certificates.find(this.serial(place.dn));
    if (record?.revoked !== undefined) await this.#certify(place.dn);
    await this.#stock(place.dn);
  }

  /** Two items of the inventory: one that the entry has, and one that nobody has. */
  async #stock(dn: string): Promise<void> {
    for (const { reference, owner } of [
      { reference: heldBy(dn), owner: dn },
      { reference: spareFor(dn), owner: undefined },
    ]) {
      const found = await this.#manager.Search_Inventory_Items({ type: itemType, filter: reference });
      if (found.length === 0)
        await this.#manager.Import_Inventory_Item({ type: itemType, reference, description: '', data: {} });
      await this.#manager.Link_Inventory_Item({ type: itemType, reference, dn: owner });
    }
  }

  async #putBack({ dn, idle, fresh }: WorldEntry, to: string | undefined): Promise<void> {
    const { service } = this.#ports.directory;
    if (to !== undefined && (await this.#exists(to)) && !(await this.#exists(dn)))
      await service.rename(Dn.parse(to), { rdn: Dn.parse(dn).rdn, parent: parentOf(dn) });
    if (fresh !== undefined && (await this.#exists(fresh))) await service.remove(Dn.parse(fresh));
    const there = await Promise.all([dn, idle ?? dn].map((name) => this.#exists(name)));
    if (there.includes(false)) await buildWorld(this.#manager);
    if (idle !== undefined) await this.#manager.Deactivate_LDAP_Object({ dn: idle });
  }

  async #mend(dn: string): Promise<void> {
    const [before, now] = [this.#snapshots.get(dn) ?? new Map(), await this.#attributesOf(dn)];
    const changes = [...new Set([...before.keys(), ...now.keys()])]
      .filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(now.get(name)))
      .map(
        (attribute) => ({ operation: 'replace', attribute, values: before.get(attribute) ?? [] }) as const,
      );
    if (changes.length > 0) await this.#ports.directory.service.modify(Dn.parse(dn), changes);
  }

  async #certify(dn: string): Promise<void> {
    const request = this.#requests.get(dn);
    if (request === undefined) return;
    await this.#manager.Sign_certificate_Request({ request });
    const issued = await this.#manager.List_Certificates({ dn });
    this.#serials.set(dn, issued.findLast(({ status }) => status === 'valid')?.serial ?? '');
  }

  async #exists(dn: string): Promise<boolean> {
    return (await this.#ports.directory.service.read(Dn.parse(dn), ['1.1'])) !== undefined;
  }

  async #attributesOf(dn: string): Promise<Attributes> {
    const entry = await this.#ports.directory.service.read(Dn.parse(dn), ['*']);
    return entry?.attributes ?? new Map();
  }
}

export const itemType = 'Thing';
export const heldBy = (dn: string): string => `held by ${dn}`;
export const spareFor = (dn: string): string => `spare for ${dn}`;

const parentOf = (dn: string): Dn => Dn.parse(dn.slice(dn.indexOf(',') + 1));
