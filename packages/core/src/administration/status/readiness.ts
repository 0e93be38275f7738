/** Readiness: the servers that this one depends on, and free disk space. */
import type { Ports } from '../../ports/ports.ts';

/** The state for `/readyz`. */
export interface Readiness {
  /** The required servers: `ldap`, `session`, `sql`. */
  readonly servers: ReadonlyMap<string, boolean>;
  /** The free bytes of the store's disk; undefined if unknown, or if the store cannot write. */
  readonly freeBytes: number | undefined;
}

export async function probeServers(
  engines: Pick<Ports, 'directory' | 'store' | 'momentary' | 'events'>,
): Promise<Readiness> {
  let freeBytes: number | undefined;
  const [ldap, session, sql] = await Promise.all([
    answers(() => engines.directory.probe()),
    answers(async () => {
      await engines.momentary.probe();
      freeBytes = await engines.store.probe();
    }),
    answers(() => engines.events.probe()),
  ]);
  const servers = new Map([
    ['ldap', ldap],
    ['session', session],
    ['sql', sql],
  ]);
  return { servers, freeBytes };
}

/** Returns whether a server answers. */
export async function answers(probe: () => Promise<void>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}
