/** A server on a port of this machine, or a sentence on why not. */
import { isIPv6, type Server } from 'node:net';
import { StartError } from '@watchword/core/foundation';

export interface Listening {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where the operator sets the port; named when it is taken. */
  readonly portSetting?: string | undefined;
}

/** @throws StartError with one sentence if the port is taken, or the address is not ours */
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

/** Something that a client on this machine can connect to. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}
