/**
 * The modes that administrators have set for clients (docs/concepts/policies-and-settings.md#client-mode). They are in the store, one
 * record for each client, so that they hold on all nodes at the next login.
 */
import { hash } from 'node:crypto';
import type { ClientMode } from '../../config/config.ts';
import type { Ports } from '../../ports/ports.ts';
import { endlessSeconds } from '../../ports/store/store.ts';

/** The scope of a mode, besides the client's policy itself. */
export interface ModeScope {
  /** Whether it holds in policies for groups. */
  readonly group: boolean;
  /** Whether it holds in policies for networks. */
  readonly network: boolean;
}

/** A mode that is in force. */
export interface SetMode extends ModeScope {
  readonly mode: ClientMode;
  /** Milliseconds since 1970. Optional; default: none. */
  readonly end?: number;
}

export class SetModes {
  readonly #store: Ports['store'];
  readonly #clock: Ports['clock'];

  constructor({ store, clock }: Pick<Ports, 'store' | 'clock'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The mode that was set last; undefined if there is none or it has expired. */
  async find(client: string): Promise<SetMode | undefined> {
    const record = await this.#store.get(setModeKey(client));
    if (!record) return undefined;
    const found: SetMode = JSON.parse(Buffer.from(record).toString('utf8'));
    return found.end === undefined || found.end > this.#clock.now() ? found : undefined;
  }

  /**
   * Sets a mode instead of the one that was set before.
   * @param seconds how long it holds; undefined: until another one is set
   */
  async set(
    client: string,
    { group, network }: ModeScope,
    { mode, seconds }: { mode: ClientMode; seconds?: number | undefined },
  ): Promise<void> {
    const end = seconds === undefined ? {} : { end: this.#clock.now() + seconds * 1000 };
    const row: SetMode = { mode, group, network, ...end };
    await this.#store.put(setModeKey(client), Buffer.from(JSON.stringify(row)), endlessSeconds);
  }
}

const setModeKey = (client: string): string => `set-mode:${hash('sha256', client)}`;
