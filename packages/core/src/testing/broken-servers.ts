/** Servers that misbehave on purpose: one that accepts and says nothing, one that loses what passes through it. */
import { createConnection, createServer, type Socket } from 'node:net';

export interface SilentServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Accepts connections on loopback and never says anything. */
export function startSilentServer(): Promise<SilentServer> {
  return startServer(() => undefined);
}

export interface Relay extends SilentServer {
  /** From now on nothing comes back from the server behind it. */
  swallowAnswers(): void;
  /** Ends all connections. */
  cut(): void;
}

/** Passes bytes on to a port of loopback and back, until told otherwise. */
export async function startRelay(to: number): Promise<Relay> {
  const clients = new Set<Socket>();
  let swallow = false;
  const server = await startServer((client) => {
    clients.add(client);
    const behind = createConnection(to, '127.0.0.1');
    client.pipe(behind);
    behind.on('data', (bytes) => swallow || client.write(bytes));
    behind.on('error', () => client.destroy());
    behind.on('close', () => client.destroy());
    client.on('close', () => behind.destroy());
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

async function startServer(accept: (socket: Socket) => void): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    accept(socket);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
