/** SIGHUP, from the start of a program on: one that comes before the servers listen has them reload when they do. */
import type { Surroundings } from '../surroundings.ts';
import type { Reload } from './reload.ts';

export class HangUp {
  #reload: Pick<Reload, 'request'> | undefined;
  #isDue = false;

  constructor({ onHangUp }: Pick<Surroundings, 'onHangUp'>) {
    onHangUp?.(async () => {
      this.#isDue = true;
      await this.#reload?.request();
    });
  }

  /** Reloads by this from now on. */
  take(reload: Pick<Reload, 'request'>): void {
    this.#reload = reload;
    if (this.#isDue) void reload.request();
  }
}
