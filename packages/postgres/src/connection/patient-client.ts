/**
 * A connection that may take as long as the way is long. To connect takes up to eight round trips (TCP, TLS, SCRAM). An attempt is
 * ended early by silence, which tells a host that swallows everything, and not for its length.
 */
import { Client, type ClientConfig } from 'pg';

/** @param silence where nothing arrives for so long, or for up to twice as long, there is nobody; milliseconds */
export const patientClient = (silence: number): typeof Client =>
  class extends Client {
    constructor(config?: ClientConfig) {
      super(config);
      // Of TCP: TLS takes its place there, and all that TLS reads has arrived here.
      const socket = this.connection.stream;
      let seen = bytesOf(socket);
      const watch = setInterval(() => {
        const now = bytesOf(socket);
        if (now === seen) socket.destroy(new Error('the server is silent'));
        seen = now;
      }, silence);
      const end = () => clearInterval(watch);
      socket.once('close', end);
      this.once('connect', end);
    }
  };

/** Changes whenever something arrives, and when the connection is there. */
function bytesOf(socket: object): number {
  if (!('bytesRead' in socket) || !('connecting' in socket)) return 0;
  return socket.connecting ? -1 : Number(socket.bytesRead);
}
