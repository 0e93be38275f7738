/** A start that waits for the database: of machines that start together, the database may be the last. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError, StartError } from '@watchword/core/foundation';
import type { Log } from '@watchword/core/ports';

/** The wait of a start, and its end. */
export interface StartWait {
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Aborted when the server is asked to end. */
  readonly signal: AbortSignal;
}

/** Between two tries, in milliseconds. */
const pause = 1000;
/** Attempts between two lines in the log. */
const silence = 60;

/**
 * Opens something, again and again while the database cannot be used. What waiting does not mend is thrown at once: a password that is
 * wrong, tables that are missing.
 * @throws what `open` throws; an AbortError where the server is asked to end
 */
export async function onceUsable<T>(open: () => Promise<T>, { log, signal }: StartWait): Promise<T> {
  const { mayPass } = await import('@watchword/postgres');
  for (let tries = 0; ; tries += 1) {
    try {
      const opened = await open();
      if (tries > 0) log.info('the database can be used now');
      return opened;
    } catch (error) {
      const cause = error instanceof StartError ? error.cause : error;
      if (!(cause instanceof ServiceError) || cause.reason !== 'unavailable' || !mayPass(cause.cause))
        throw error;
      if (tries % silence === 0) {
        const why = error instanceof StartError ? error.message : `The database: ${cause.message}.`;
        log.warn(`${why} The server waits, and starts as soon as the database can be used.`);
      }
    }
    await sleep(pause, undefined, { signal });
  }
}
