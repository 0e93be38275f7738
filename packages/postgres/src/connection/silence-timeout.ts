/**
 * A silence timeout for attempts to connect. Connecting takes up to eight round trips (TCP, TLS, SCRAM), so its length is no sign of a
 * dead host, but silence is.
 */
import { Client, type ClientConfig } from 'pg';

/** Returns a client that gives up when nothing arrives. @param silence in milliseconds; the timeout is between this and twice this */
export const clientWithSilenceTimeout = (silence: number): typeof Client =>
  class extends Client {
    constructor(config?: ClientConfig) {
      super(config);
      // The TCP socket, which counts the bytes under TLS, too.
      const socket = this.connection.stream;
      let before = bytesOf(socket);
      const watch = setInterval(() => {
        const now = bytesOf(socket);
        if (now === before) socket.destroy(new Error('the server is silent'));
        before = now;
      }, silence);
      const end = () => clearInterval(watch);
      socket.once('close', end);
      this.once('connect', end);
    }
  };

/** Returns a number that changes when bytes arrive and when the socket is connected. */
function bytesOf(socket: object): number {
  if (!('bytesRead' in socket) || !('connecting' in socket)) return 0;
  return socket.connecting ? -1 : Number(socket.bytesRead);
}
