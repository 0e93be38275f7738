/**
 * The outbox: what is to be sent is durable before whoever asked for it is answered, and goes on its way then. It is tried again
 * with longer and longer pauses, until the gateway has taken it over, says that it never will, or the message's time is over. Each
 * is delivered at least once, under one id: a gateway that goes by an idempotency key delivers it once. All nodes of an
 * installation look after all of it, one at a time; each way has places of its own, so that a gateway that hangs stops no other.
 */

import { notConfigured, ServiceError } from '../foundation/errors/errors.ts';
import { randomSession } from '../ports/random.ts';
import type { Way } from '../ports/sending/sender.ts';
import { chargesOf, type Spender } from './budget.ts';
import { Courier } from './courier.ts';
import type { OutboxPorts } from './outbox-ports.ts';
import { type Message, outboxFamily, parcelKey, type Sending, sealParcel } from './parcel.ts';
import { overBudget, type Posted, writeAll } from './posted.ts';
import { WayQueue } from './queue.ts';
import { isSendable } from './recipient.ts';

/** Something to be sent. */
export interface Letter {
  readonly message: Message;
  readonly sending: Sending;
  readonly spender: Spender;
  /** Milliseconds since 1970, where it is of no use from then on; left out: as long as the configuration says. */
  readonly ends?: number | undefined;
}

/** How a way does, for those who watch. */
export interface WayState {
  /** The last try was taken over, or was refused for good by a gateway that answers; true before the first one. */
  readonly isUp: boolean;
  /** Messages that wait or are tried now, as far as this node knows. */
  readonly waiting: number;
}

/** In milliseconds: what other nodes have left behind is looked for, and what is due is tried. */
const [lookEvery, tickEvery] = [15_000, 1000];

export class Outbox {
  readonly #ports: OutboxPorts;
  readonly #courier: Courier;
  readonly #ways: ReadonlyMap<Way, WayQueue>;
  #isClosing = false;
  #stops: readonly (() => void)[] = [];
  #looking: Promise<void> | undefined;

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
    this.#courier = new Courier(ports);
    const ways = wayNames.filter((way) => ports.senders?.[way]);
    this.#ways = new Map(ways.map((way) => [way, new WayQueue((id) => this.#courier.attend(id, way))]));
  }

  /** From now on what is in the outbox goes on its way, also of before. Until then messages are kept, and nothing is sent. */
  start(): void {
    const { clock } = this.#ports;
    if (this.#ways.size === 0 || this.#stops.length > 0) return;
    this.#stops = [clock.every(tickEvery, () => this.#tick()), clock.every(lookEvery, () => this.look())];
    this.look();
  }

  /** Whether there is a gateway. */
  has(way: Way): boolean {
    return this.#ways.has(way);
  }

  /**
   * Makes a letter ready; nothing is kept or sent by it.
   * @throws ServiceError `unavailable` where there is no gateway for it; `invalid_params` where nothing can be sent to its recipient
   */
  prepare({ message, sending, spender, ends }: Letter): Posted {
    const { clock, random, keys, config } = this.#ports;
    const { way } = message;
    const { messages } = config;
    if (!this.has(way)) throw notConfigured(`no gateway for ${way} is configured`);
    if (!isSendable(message, messages))
      throw new ServiceError('invalid_params', {
        detail: `Nothing can be sent to the recipient of the ${way}`,
      });
    const now = clock.now();
    const id = randomSession(random);
    const last = Math.min(ends ?? Number.POSITIVE_INFINITY, now + messages.give_up_after_s * 1000);
    const held = this.#courier.hold(now);
    const value = sealParcel({ id, message, sending, ends: last, due: now, tries: 0, held }, now, keys);
    const charges = chargesOf(message, spender, messages, now);
    return {
      ...{ id, way, keys: [parcelKey(id), ...charges.keys] },
      write: (found) => {
        const spent = charges.spend(found);
        return 'usedUp' in spent ? spent : new Map([...spent, [parcelKey(id), value]]);
      },
    };
  }

  /** Takes a letter that is durable on its way. */
  wake({ id, way }: Pick<Posted, 'id' | 'way'>): void {
    if (this.#stops.length > 0) this.#ways.get(way)?.add(id, 0);
  }

  /**
   * All of them, or none; durable when it resolves.
   * @throws ServiceError as {@link prepare}; `too_large` where the budget is used up
   */
  async post(letters: readonly Letter[]): Promise<void> {
    const all = letters.map((letter) => this.prepare(letter));
    const keys = [...new Set(all.flatMap((posted) => posted.keys))];
    const usedUp = await this.#ports.store.commit({
      durable: keys,
      decide: (found) => writeAll(all, found),
    });
    if (usedUp !== undefined) throw overBudget(usedUp);
    for (const posted of all) this.wake(posted);
  }

  /** Looks for what is not known to this node: of before it started, and of nodes that are gone. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error) => this.#ports.log.warn('the outbox could not be read', { error }))
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  /** The state of a way; undefined: there is no gateway for it. */
  state(way: Way): WayState | undefined {
    const waiting = this.#ways.get(way)?.size;
    return waiting === undefined ? undefined : { isUp: this.#courier.isUp(way), waiting };
  }

  /** Ends the tries that are under way, which count as failed, and the gateways. */
  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    this.#isClosing = true;
    this.#courier.stop();
    await this.#looking;
    for (const waiting of this.#ways.values()) await waiting.close();
    const { mail, sms, push } = this.#ports.senders ?? {};
    await Promise.all([mail?.close(), sms?.close(), push?.close()]);
  }

  #tick(): void {
    const now = this.#ports.clock.now();
    for (const waiting of this.#ways.values()) waiting.wake(now);
  }

  async #look(): Promise<void> {
    for await (const some of this.#ports.store.family(outboxFamily)) {
      for (const { key, value } of some) {
        const id = key.slice(outboxFamily.length + 1);
        if ([...this.#ways.values()].some((waiting) => waiting.knows(id))) continue;
        const parcel = this.#courier.read(id, value);
        if (parcel)
          this.#ways.get(parcel.message.way)?.add(id, Math.max(parcel.due, this.#courier.freeFrom(parcel)));
      }
      if (this.#isClosing) return;
    }
    this.#tick();
  }
}

/** In which people are reached. */
export const wayNames = ['mail', 'sms', 'push'] as const;
