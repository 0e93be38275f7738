/** Takes renewed certificates while a server runs: files that were replaced, that of the ACME server, and its own before it expires. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import { type Clock, type Log, warningDaysOf } from '@watchword/core/ports';
import { orderedCertificateFile, ownCertificateFile } from '@watchword/engines/installation';
import type { RunningServers } from './servers.ts';

interface Watched {
  readonly running: Pick<RunningServers, 'config' | 'renewCertificates' | 'certificates'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The program, for the log. */
  readonly program: string;
}

/** Intervals in milliseconds: of looking at the files, and of looking whether the server's own certificate expires soon. */
const [filesEvery, expiryEvery] = [10_000, 3_600_000];

/** Starts the watch. @returns a function that ends it */
export function watchCertificates(watched: Watched): () => void {
  const { running, clock } = watched;
  let seen = stateOf(running.config);
  let next = clock.now() + expiryEvery;
  let isReading = false;
  const warnOfEnds = endWarnings(watched);
  warnOfEnds();
  return clock.every(filesEvery, () => {
    const state = stateOf(running.config);
    if (isReading || (state === seen && clock.now() < next)) return;
    isReading = true;
    seen = state;
    next = clock.now() + expiryEvery;
    void renew(watched).finally(() => {
      isReading = false;
      warnOfEnds();
    });
  });
}

/** Returns a function that warns of certificates that end soon: once for each number of days. */
function endWarnings({ running, clock, log, program }: Watched): () => void {
  const warned = new Map<string, number | undefined>();
  return () => {
    for (const certificate of running.certificates) {
      const { listener: server, end, isRenewed } = certificate;
      const days = warningDaysOf(certificate, clock.now());
      if (days !== undefined && days !== warned.get(server)) {
        const at = new Date(end).toISOString();
        const cure = isRenewed ? 'this log has the reason why it was not renewed' : 'renew its files';
        log.warn(`the certificate of ${server} ends at ${at}: ${cure}`, { program, server });
      }
      warned.set(server, days);
    }
  };
}

async function renew({ running, log, program }: Watched): Promise<void> {
  try {
    if (await running.renewCertificates()) log.info('certificates renewed', { program });
  } catch (error) {
    const why = error instanceof StartError ? `: ${error.message}` : '';
    log.error(`the certificates were not renewed, and those before stay in use${why}`, {
      program,
      ...(why === '' && { error }),
    });
  }
}

/** Returns a text that changes when one of the files is replaced or written. */
function stateOf({ manager, ws, data }: ServerConfig): string {
  const named = [manager.certificate, manager.key, ws.certificate, ws.key, ws.client_ca];
  const kept = [ownCertificateFile, orderedCertificateFile].map((file) => join(data, file));
  return [...named, ...kept].map(fileState).join('|');
}

function fileState(path: string | undefined): string {
  const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}` : '';
}
