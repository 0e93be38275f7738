/**
 * The end of a server without a lost request. A client may send on a kept-alive connection at the very moment
 * that it is closed. So the port is closed first and connections are left open: for a moment every answer
 * says `Connection: close`, and clients go by themselves; then what is idle is closed, and what is still
 * being answered is waited for.
 */
import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answering } from './safe-answers.ts';

/** Milliseconds that clients have to see `Connection: close`. */
const farewell = 250;
/** Milliseconds between two looks for idle connections: Node closes those of one moment only. */
const sweep = 50;

export class Drain {
  readonly #server: Server;
  readonly #deadline: number;
  readonly #sockets = new Set<Socket>();
  readonly #answering: Answering;
  #closed: Promise<void> | undefined;

  /** @param parts.deadline milliseconds for all of {@link close} */
  constructor(
    server: Server,
    { answering, deadline }: { readonly answering: Answering; readonly deadline: number },
  ) {
    this.#server = server;
    this.#answering = answering;
    this.#deadline = deadline;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Resolves when the last connection is closed; called again, it waits for the same end. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const cut = setTimeout(() => this.#cut(), this.#deadline);
    this.#answering.isEnding = true;
    const closed = this.#stopListening();
    if (this.#sockets.size > 0) await sleep(Math.min(farewell, this.#deadline));
    const sweeping = setInterval(() => this.#server.closeIdleConnections(), sweep);
    await closed;
    clearInterval(sweeping);
    clearTimeout(cut);
    this.#server.close(); // ends the timer that looks for late requests
  }

  /** As node:net does it: `close` of node:http would cut idle connections at once. */
  #stopListening(): Promise<void> {
    return new Promise((resolve) => {
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
