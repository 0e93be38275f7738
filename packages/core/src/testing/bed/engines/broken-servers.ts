/** Servers that misbehave on purpose: one that accepts and says nothing, one that loses what passes through it. */
import { createConnection, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { joinSockets, type Listener, listenOnLoopback } from '../scratch.ts';

/** Accepts connections on loopback and never says anything. */
export function startSilentServer(): Promise<Listener> {
  return listenOnLoopback(() => undefined);
}

export interface Relay extends Listener {
  /** Drops all further answers of the server. */
  swallowAnswers(): void;
  /** Ends all connections. */
  cut(): void;
}

/** Relays bytes to a port of loopback and back. */
export async function startRelay(to: number): Promise<Relay> {
  const clients = new Set<Socket>();
  let swallow = false;
  const server = await listenOnLoopback((client) => {
    clients.add(client);
    const behind = createConnection(to, '127.0.0.1');
    const back = new Transform({ transform: (bytes, _, pass) => (swallow ? pass() : pass(null, bytes)) });
    joinSockets(client, behind, back);
  });
  return {
    ...server,
    swallowAnswers: () => {
      swallow = true;
    },
    cut: () => {
      for (const client of clients) client.destroy();
    },
  };
}
