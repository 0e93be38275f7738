/** Sockets to a directory server: TCP, TLS and StartTLS. */
import { connect as connectTcp, type OnReadOpts, type Socket, type TcpSocketConnectOpts } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { serverName, type Target } from '../connection/options.ts';

/**
 * Opens a connected socket; for `ldaps://` after the handshake and the check of the certificate. A socket for StartTLS emits `data`.
 * @param timeout milliseconds @param read receives bytes otherwise, in a buffer that is reused
 */
export function openSocket(target: Target, timeout: number, read: (bytes: Buffer) => void): Promise<Socket> {
  const { host, port, security } = target;
  const address = { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 };
  switch (security) {
    case 'tls': {
      // The documentation allows the options of `socket.connect()`; the types do not.
      const options: ConnectionOptions & Pick<TcpSocketConnectOpts, 'onread'> = { onread: reading(read) };
      return connected(connectTls({ ...address, ...trust(target), ...options }), 'secureConnect', timeout);
    }
    case 'plain':
      return connected(connectTcp({ ...address, onread: reading(read) }), 'connect', timeout);
    case 'start_tls':
      return connected(connectTcp(address), 'connect', timeout);
  }
}

/** The size of the read buffer in bytes. */
const bufferSize = 32_768;

/** Reads into one buffer of the connection: Node's streams allocate one for each response. */
function reading(read: (bytes: Buffer) => void): OnReadOpts {
  const buffer = Buffer.allocUnsafeSlow(bufferSize);
  return {
    buffer,
    callback: (length) => {
      read(buffer.subarray(0, length));
      return true;
    },
  };
}

/** Starts TLS after the server has accepted StartTLS. */
export function secureSocket(socket: Socket, target: Target, timeout: number): Promise<Socket> {
  const encrypted = connectTls({ socket, host: target.host, ...trust(target) });
  return connected(encrypted, 'secureConnect', timeout);
}

/** Returns the options of TLS, which check certificate and name in spite of NODE_TLS_REJECT_UNAUTHORIZED. */
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
    // Stays, as an error without a listener would end the process.
    socket.on('error', failed);
    socket.once('close', failed);
    socket.once(event, () => {
      clearTimeout(timer);
      resolve(socket);
    });
  });
}
