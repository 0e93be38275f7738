/** Handlers over HTTPS, with certificates of an authority of their own, and who called. */
import type { DirectHandler, Handler, Peer } from '@watchword/core';
import { systemClock, systemRandom } from '@watchword/node';
import { serve } from '@watchword/node/http';
import { type CertifiedKey, createAuthority, issueServerCertificate } from '@watchword/pki';
import { onTestFinished } from 'vitest';

const ports = { clock: systemClock, random: systemRandom };

export const newAuthority = (commonName: string): Promise<CertifiedKey> =>
  createAuthority({ commonName, days: 1 }, ports);

export const certificateFrom = (authority: CertifiedKey): Promise<CertifiedKey> =>
  issueServerCertificate(authority, { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 }, ports);

/** A request as the server saw it. */
export interface Seen {
  readonly cookie: string | null;
  readonly peer: Peer;
}

/** Serves until the test has finished, and asks for client certificates of the same authority. */
export async function startHttps({ direct }: Pick<Handler, 'direct'>, authority: CertifiedKey) {
  const seen: Seen[] = [];
  const watched: DirectHandler = (request) => {
    seen.push({ cookie: request.headers.get('cookie'), peer: request });
    return direct(request);
  };
  const tls = { ...(await certificateFrom(authority)), ca: authority.certificate };
  const listener = await serve({ direct: watched }, { host: '127.0.0.1', port: 0, tls });
  onTestFinished(() => listener.close());
  return { url: listener.url, seen };
}
