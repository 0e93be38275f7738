/** A proxy to the database that cuts a connection on request: before a message arrives, or before its answer. */
import { createConnection } from 'node:net';
import { type Listener, listenOnLoopback } from '../../../core/src/testing/bed/scratch.ts';

/** The last two are the SQLSTATE of a server that shuts down. */
export type Cut = 'request' | 'answer' | 'swallow' | '57P01' | '57P02';

export interface CuttingProxy {
  readonly port: number;
  /**
   * Cuts at the next message of a client. `request`: it does not arrive, and the connection ends; `answer`: it arrives, and the connection ends
   * instead of the answer; `swallow`: nothing is answered any more; `57P01`, `57P02`: it arrives, and the server answers that it shuts down.
   * @param statement the name of a statement; undefined: any message
   */
  cutNext(how: Cut, statement?: string): void;
  /** The number of cuts. */
  readonly cuts: number;
  stop(): Promise<void>;
}

export async function startCuttingProxy(to: number): Promise<CuttingProxy> {
  let wanted: { readonly how: Cut; readonly statement: string } | undefined;
  let cuts = 0;
  const listener: Listener = await listenOnLoopback((client) => {
    const server = createConnection(to, '127.0.0.1');
    let mine: Cut | undefined;
    client.on('data', (data) => {
      // Messages that begin or end a connection pass: type `X`, or no type at all.
      if (wanted && /^[PBQ]/.test(data.toString('latin1', 0, 1)) && data.includes(wanted.statement)) {
        mine = wanted.how;
        wanted = undefined;
        cuts += 1;
      }
      if (mine === 'request') client.destroy();
      else if (mine !== 'swallow') server.write(data);
    });
    server.on('data', (data) => {
      if (mine === undefined) client.write(data);
      else if (mine !== '57P01' && mine !== '57P02') client.destroy();
      else if (!client.writableEnded) client.end(goesDown(mine));
    });
    client.on('close', () => server.destroy());
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroy());
  });
  return {
    port: listener.port,
    cutNext: (how, statement) => {
      wanted = { how, statement: statement === undefined ? '' : `${statement}\0` };
    },
    get cuts() {
      return cuts;
    },
    stop: () => listener.stop(),
  };
}

/** ErrorResponse: PostgreSQL, Frontend/Backend Protocol §55.7. */
function goesDown(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mterminating connection\0\0`, 'latin1');
  const head = Buffer.from('E\0\0\0\0', 'latin1');
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
