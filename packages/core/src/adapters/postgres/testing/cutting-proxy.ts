/** A way to the database that is cut when somebody says so: before what is sent arrives, or before it is answered. */
import { createConnection } from 'node:net';
import { type Listener, listenOnLoopback } from '../../../testing/scratch.ts';

export type Cut = 'request' | 'answer' | 'swallow';

export interface CuttingProxy {
  readonly port: number;
  /**
   * The next thing that a client sends: `request`: it does not arrive, and the connection ends; `answer`: it arrives,
   * and the connection ends when it is answered; `swallow`: nothing happens any more.
   */
  cutNext(how: Cut): void;
  /** So many were cut. */
  readonly cuts: number;
  stop(): Promise<void>;
}

export async function startCuttingProxy(to: number): Promise<CuttingProxy> {
  let wanted: Cut | undefined;
  let cuts = 0;
  const listener: Listener = await listenOnLoopback((client) => {
    const server = createConnection(to, '127.0.0.1');
    let mine: Cut | undefined;
    client.on('data', (data) => {
      // A connection that begins, or ends, is left alone: type `X`, or no type at all.
      if (wanted !== undefined && /^[PBQ]/.test(data.toString('latin1', 0, 1))) {
        mine = wanted;
        wanted = undefined;
        cuts += 1;
      }
      if (mine === 'request') client.destroy();
      else if (mine !== 'swallow') server.write(data);
    });
    server.on('data', (data) => {
      if (mine === undefined) client.write(data);
      else client.destroy();
    });
    client.on('close', () => server.destroy());
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
  });
  return {
    port: listener.port,
    cutNext: (how) => {
      wanted = how;
    },
    get cuts() {
      return cuts;
    },
    stop: () => listener.stop(),
  };
}
