/** Readiness of a node: whether the servers that it needs answer, and the free disk space. */
import type { Ports } from '../../ports/ports.ts';

/** The readiness of `/readyz`. */
export interface Readiness {
  /** Servers that this one needs: `ldap`, `session`, `sql`. */
  readonly servers: ReadonlyMap<string, boolean>;
  /** The bytes that are free where the store writes; undefined: it does not tell, or cannot write. */
  readonly freeBytes: number | undefined;
}

export async function probeServers(
  engines: Pick<Ports, 'directory' | 'store' | 'ephemeral' | 'events'>,
): Promise<Readiness> {
  let freeBytes: number | undefined;
  const [ldap, session, sql] = await Promise.all([
    answers(() => engines.directory.probe()),
    answers(async () => {
      await engines.ephemeral.probe();
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

/** Whether a server answers. */
export async function answers(probe: () => Promise<void>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch {
    return false;
  }
}
