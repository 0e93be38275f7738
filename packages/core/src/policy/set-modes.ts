/**
 * The modes that administrators have set for clients, of all their users or of those in a group or a network.
 * They are in the store, one record for each client, so that they hold on all nodes at the next login.
 */
import { hash } from 'node:crypto';
import type { ClientMode } from '../config.ts';
import type { Ports } from '../core.ts';
import { Dn } from '../directory/dn.ts';
import { ServiceError } from '../errors.ts';
import { Network } from '../network.ts';

/** Whom a mode is for; both: who is in the group and in the network. */
export interface ModeScope {
  readonly group?: Dn | undefined;
  /** An address, or a network in CIDR notation. */
  readonly network?: string | undefined;
}

/** A record is a list of these in JSON, the one that was set last at the end. */
interface SetMode {
  readonly mode: ClientMode;
  readonly group?: string;
  readonly network?: string;
  /** Milliseconds since 1970; left out: no end. */
  readonly end?: number;
}

/** Who logs in. */
export interface ModeSubject {
  readonly groups: readonly Dn[];
  /** The end user's address; undefined or none: in no network. */
  readonly address: string | undefined;
}

/** As good as for ever: a store wants an end. */
const longestSeconds = 100 * 365 * 86_400;
const mostModes = 1000;

export class SetModes {
  readonly #store: Ports['store'];
  readonly #clock: Ports['clock'];

  constructor({ store, clock }: Pick<Ports, 'store' | 'clock'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * The mode that was set for who logs in at this client: the one for the network before the one for the group
   * before the one for all, as the policy layers go. Undefined: none.
   */
  async find(client: string, subject: ModeSubject): Promise<ClientMode | undefined> {
    const fitting = (await this.#live(keyOf(client))).filter((row) => fits(row, subject));
    return fitting.reduce<SetMode | undefined>(
      (best, row) => (best && rank(best) > rank(row) ? best : row),
      undefined,
    )?.mode;
  }

  /**
   * Sets a mode instead of the one that was set for the same scope.
   * @param seconds how long it holds; undefined: until another one is set
   * @throws ServiceError `too_large` if a client has 1000 of them
   */
  async set(
    client: string,
    scope: ModeScope,
    { mode, seconds }: { mode: ClientMode; seconds?: number | undefined },
  ) {
    const key = keyOf(client);
    const row = {
      mode,
      ...(scope.group && { group: scope.group.format() }),
      ...(scope.network !== undefined && { network: scope.network }),
      ...(seconds !== undefined && { end: this.#clock.now() + seconds * 1000 }),
    };
    await this.#alone(key, async () => {
      const others = (await this.#live(key)).filter((other) => scopeKey(other) !== scopeKey(row));
      if (others.length >= mostModes)
        throw new ServiceError('too_large', { detail: `the client has ${mostModes} modes already` });
      await this.#store.put(key, Buffer.from(JSON.stringify([...others, row])), longestSeconds);
    });
  }

  async #live(key: string): Promise<readonly SetMode[]> {
    const record = await this.#store.get(key);
    if (!record) return [];
    const rows: readonly SetMode[] = JSON.parse(Buffer.from(record).toString('utf8'));
    return rows.filter(({ end }) => end === undefined || end > this.#clock.now());
  }

  /** Of those who change one record at the same time, on whatever node, each sees what the one before wrote. */
  async #alone(key: string, change: () => Promise<void>): Promise<void> {
    const lock = `${key}:lock`;
    for (let left = lockTries; (await this.#store.count(lock, lockStep)) === undefined; left -= 1) {
      if (left === 0)
        throw new ServiceError('unavailable', { detail: 'the client is being changed by others' });
      await this.#clock.sleep(lockPause);
    }
    try {
      await change();
    } finally {
      await this.#store.remove(lock);
    }
  }
}

/** A lock that a node took along when it died is free again after this many seconds. */
const lockStep = { by: 1, limit: 1, seconds: 10 };
const lockPause = 20;
const lockTries = 1000;

const keyOf = (client: string): string => `client-mode:${hash('sha256', client)}`;

const rank = ({ group, network }: SetMode): number =>
  (network === undefined ? 0 : 2) + (group === undefined ? 0 : 1);

const scopeKey = ({ group, network }: SetMode): string =>
  JSON.stringify([group === undefined ? '' : Dn.parse(group).key, network ?? '']);

function fits({ group, network }: SetMode, { groups, address }: ModeSubject): boolean {
  const inGroup = group === undefined || isAmong(Dn.parse(group), groups);
  return inGroup && (network === undefined || Network.parse(network)?.contains(address ?? '') === true);
}

/** By what the names mean, not how they are written. */
export function isAmong(dn: Dn, others: readonly Dn[]): boolean {
  return others.some((other) => other.equals(dn));
}
