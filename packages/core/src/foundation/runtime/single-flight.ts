/** A run of a call, and the run that is due after it. */
interface Flight<T> {
  readonly running: Promise<T>;
  /** Begins after `running` has settled; undefined while no caller waits for it. */
  next: Promise<T> | undefined;
}

/**
 * Single flight, with a difference from the usual: a call during a run does not share that run, but the next one, which all waiting calls
 * share. So each result was computed after its call, and a hundred concurrent calls cost two runs. There is one run at a time for each key.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>();

  /** Runs a task, or waits for the next run of the key. @throws what `task` throws, for every caller that shares the run */
  run(key: string, task: () => Promise<T>): Promise<T> {
    const flight = this.#flights.get(key);
    if (!flight) return this.#begin(key, task);
    flight.next ??= flight.running.catch(() => undefined).then(() => this.#begin(key, task));
    return flight.next;
  }

  #begin(key: string, task: () => Promise<T>): Promise<T> {
    const flight: Flight<T> = { running: task(), next: undefined };
    this.#flights.set(key, flight);
    const ended = () => {
      if (!flight.next) this.#flights.delete(key);
    };
    flight.running.then(ended, ended);
    return flight.running;
  }
}
