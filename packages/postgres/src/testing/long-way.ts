/** A proxy with latency. */
import { createConnection, type Socket } from 'node:net';
import { type Listener, listenOnLoopback } from '../../../core/src/testing/bed/scratch.ts';

export interface LongWay {
  readonly port: number;
  /** The number of connections opened through it. */
  readonly opened: number;
  /** Makes later connections silent: they are accepted, and never answered. */
  swallow(): void;
  stop(): Promise<void>;
}

/** @param milliseconds in each direction */
export async function startLongWay(to: number, milliseconds: number): Promise<LongWay> {
  let opened = 0;
  let isSwallowing = false;
  const listener: Listener = await listenOnLoopback((client) => {
    opened += 1;
    if (isSwallowing) {
      client.resume();
      return;
    }
    const server = createConnection(to, '127.0.0.1');
    server.on('error', () => client.destroy());
    passOn(client, server, milliseconds);
    passOn(server, client, milliseconds);
  });
  return {
    port: listener.port,
    get opened() {
      return opened;
    },
    swallow: () => {
      isSwallowing = true;
    },
    stop: () => listener.stop(),
  };
}

/** Keeps the order of bytes, as timers of one length fire in the order in which they were set. */
function passOn(from: Socket, to: Socket, milliseconds: number): void {
  from.on('data', (data) => setTimeout(() => to.writable && to.write(data), milliseconds));
  from.on('close', () => setTimeout(() => to.destroy(), milliseconds));
}
