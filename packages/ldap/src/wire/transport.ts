/** Sockets to a directory server: TCP, TLS with the server's certificate checked, and the upgrade of StartTLS. */
import { connect as connectTcp, type OnReadOpts, type Socket, type TcpSocketConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { serverName, type Target } from '../connection/options.ts';

/**
 * A connected socket; for `ldaps://` with the handshake done and the certificate good. One that is to be upgraded gives what it
 * reads as `data`.
 * @param timeout milliseconds @param read what it reads, for `ldaps://` and in clear; the next bytes come in their place
 */
export function openSocket(target: Target, timeout: number, read: (bytes: Buffer) => void): Promise<Socket> {
  const { host, port, security } = target;
  const address = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 };
  switch (security) {
    case 'tls': {
      // Its types leave it out, its documentation has the options of `socket.connect()`.
      const options: ConnectionOptions & Pick<TcpSocketConnectOpts, 'onread'> = { onread: reading(read) };
      return connected(connectTls({ ...address, ...trust(target), ...options }), 'secureConnect', timeout);
    }
    case 'plain':
      return connected(connectTcp({ ...address, onread: reading(read) }), 'connect', timeout);
    case 'start_tls':
      return connected(connectTcp(address), 'connect', timeout);
  }
}

/** More is read in several goes. */
const readAtOnce = 32_768;

/** Into a buffer of the connection, without the streams of Node, which make one for each answer and take as long as reading it does. */
function reading(read: (bytes: Buffer) => void): OnReadOpts {
  const buffer = Buffer.allocUnsafeSlow(readAtOnce);
  return {
    buffer,
    callback: (length) => {
      read(buffer.subarray(0, length));
      return true;
    },
  };
}

/** TLS over a connection whose server has agreed to StartTLS. */
export function secureSocket(socket: Socket, target: Target, timeout: number): Promise<Socket> {
  const over = connectTls({ socket, host: target.host, ...trust(target) });
  return connected(over, 'secureConnect', timeout);
}

/** TLS 1.2 at least; certificate and name are checked, whatever NODE_TLS_REJECT_UNAUTHORIZED says. */
function trust(target: Target): ConnectionOptions {
  const ca = target.ca === undefined ? {} : { ca: target.ca };
  return { ...serverName(target), ...ca, rejectUnauthorized: true };
}

function connected(socket: Socket, event: 'connect' | 'secureConnect', timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${timeout} ms`)), timeout);
    const failed = (error?: unknown): void => {
      clearTimeout(timer);
      reject(error instanceof Error ? error : new Error('the server closed the connection'));
    };
    // Stays: an error that comes before its next owner listens would end the process.
    socket.on('error', failed);
    socket.once('close', failed);
    socket.once(event, () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
