/** A page of somebody else, in the browser of who is signed in here: of the same site (another port of it), or of another one. */
import { systemClock, systemRandom } from '@watchword/node';
import { serve, webHandler } from '@watchword/node/http';
import { createAuthority, issueServerCertificate } from '@watchword/pki';

export interface OtherOrigin {
  /** Cookies with `SameSite` go from there to here as well: a site is a host, whatever the port. */
  readonly sameSite: string;
  readonly crossSite: string;
  close(): Promise<void>;
}

export async function openOtherOrigin(): Promise<OtherOrigin> {
  const ports = { clock: systemClock, random: systemRandom };
  const authority = await createAuthority({ commonName: 'Somebody else', days: 2 }, ports);
  const names = { names: ['localhost'], addresses: ['127.0.0.1'], days: 1 };
  const tls = await issueServerCertificate(authority, names, ports);
  const listener = await serve(emptyPage, { host: '127.0.0.1', port: 0, tls });
  return {
    sameSite: `https://localhost:${listener.port}/`,
    crossSite: `https://127.0.0.1:${listener.port}/`,
    close: () => listener.close(),
  };
}

/** Without a policy of its own: it may do what browsers let pages do. */
const emptyPage = webHandler(async () => ({
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Win a prize</title><body></body>',
}));
