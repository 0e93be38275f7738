/** A gateway for tests: it keeps what it takes over, and does with a message what the test says. */
import type { Delivery, Sender } from '../../ports/sending/sender.ts';

export class KeptSender<Message> implements Sender<Message> {
  /** What was taken over, with its ids, in order. */
  readonly taken: (Message & { readonly id: string })[] = [];
  /** How often it was asked. */
  tries = 0;
  #waiting: (() => void)[] = [];

  /** What a try meets before the message is taken over: resolves, throws, or never ends. */
  before: (message: Message, delivery: Delivery) => Promise<void> | void = () => {};

  async send(message: Message, delivery: Delivery): Promise<void> {
    this.tries += 1;
    this.#tell();
    await this.before(message, delivery);
    this.taken.push({ ...message, id: delivery.id });
    this.#tell();
  }

  /** It goes on: several nodes of a test have it. */
  async close(): Promise<void> {}

  /** Resolves once something is so, which is looked at after each try. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The next message, from the `count`-th on. */
  async message(count: number): Promise<Message & { readonly id: string }> {
    await this.until(() => this.taken.length >= count);
    return this.taken[count - 1] as Message & { readonly id: string };
  }

  #tell(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
