/**
 * Graceful shutdown without lost requests: a client may send on a kept-alive connection at the moment of its end. The port is closed first, while
 * answers have `Connection: close`; then idle connections are closed, and the others after their answers.
 */
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseState } from './safe-responses.ts';

/** The time in milliseconds for clients to see `Connection: close`. */
const noticePeriod = 250;
/** The interval in milliseconds of closing idle connections, of which Node closes the present ones only. */
const sweepInterval = 50;

export class Drain {
  readonly #server: Server;
  readonly #deadline: number;
  readonly #sockets = new Set<Socket>();
  readonly #answers: ResponseState;
  #closed: Promise<void> | undefined;

  /** @param parts.deadline milliseconds of {@link close} */
  constructor(
    server: Server,
    { answers, deadline }: { readonly answers: ResponseState; readonly deadline: number },
  ) {
    this.#server = server;
    this.#answers = answers;
    this.#deadline = deadline;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Resolves when the last connection is closed, for repeated calls, too. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const cut = setTimeout(() => this.#cut(), this.#deadline);
    this.#answers.isEnding = true;
    const closed = this.#stopListening();
    if (this.#sockets.size > 0) await sleep(Math.min(noticePeriod, this.#deadline));
    const sweeping = setInterval(() => this.#server.closeIdleConnections(), sweepInterval);
    await closed;
    clearInterval(sweeping);
    clearTimeout(cut);
    this.#server.close(); // ends the timer for late requests
  }

  /** Stops listening as node:net does: `close` of node:http would close idle connections at once. */
  #stopListening(): Promise<void> {
    return new Promise((resolve) => {
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
