/** A gateway for tests, which keeps the messages. */
import type { Delivery, Sender } from '../../ports/sending/sender.ts';

export class KeptSender<Message> implements Sender<Message> {
  /** The accepted messages with their ids, in order. */
  readonly taken: (Message & { readonly id: string })[] = [];
  tries = 0;
  #waiting: (() => void)[] = [];

  /** Runs before a message is accepted, and may reject or never settle. */
  before: (message: Message, delivery: Delivery) => Promise<void> | void = () => {};

  async send(message: Message, delivery: Delivery): Promise<void> {
    this.tries += 1;
    this.#notify();
    await this.before(message, delivery);
    this.taken.push({ ...message, id: delivery.id });
    this.#notify();
  }

  /** Does nothing, as nodes of a test share the gateway. */
  async close(): Promise<void> {}

  /** Resolves when a condition holds, which is checked after each try. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Returns the `count`-th message, when it is accepted. */
  async message(count: number): Promise<Message & { readonly id: string }> {
    await this.until(() => this.taken.length >= count);
    return this.taken[count - 1] as Message & { readonly id: string };
  }

  #notify(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
