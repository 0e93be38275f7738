/** Listening on a port, with readable errors. */
import { isIPv6, type Server } from 'node:net';
import { StartError } from '@watchword/core/foundation';

export interface Listening {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The setting of the port, for the error when the port is taken. */
  readonly portSetting?: string | undefined;
}

/** Starts to listen. @throws StartError if the port is taken, or the address is not of this machine */
export function listen(server: Server, options: Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => reject(new StartError(whyNot(cause, options), { cause }));
    server.once('error', fail);
    server.listen(options.port, options.host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function whyNot({ code }: NodeJS.ErrnoException, { host, port, portSetting }: Listening): string {
  const setting = portSetting === undefined ? '' : ` (${portSetting})`;
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken; stop the program that listens there or choose another port${setting}.`;
    case 'EACCES':
      return `Port ${port} on ${host} may not be opened by this user; choose one above 1023${setting}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; listen on 127.0.0.1, 0.0.0.0 or one of its own.`;
    default:
      return `Port ${port} on ${host} cannot be opened (${code}).`;
  }
}

/** Returns the host of a URL to which a client on this machine can connect. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}
