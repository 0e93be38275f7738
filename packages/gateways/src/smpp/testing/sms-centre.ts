/** An SMS centre for tests, by the server of the package smpp: it accepts, refuses, is silent or hangs up, as the test says. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import smpp, { type Pdu, type Session } from 'smpp';

/** The outcome of a submit_sm: a status (0: accepted), or an event in place of a response. */
export type Behaviour = number | 'silent' | 'hang up' | 'late';

export interface SmsCentre {
  readonly port: number;
  /** Taken over, in their order. */
  readonly taken: Pdu[];
  /** Logins so far. */
  binds: number;
  /** Outcomes of the next messages, in their order; then all are accepted. */
  readonly behaviours: Behaviour[];
  /** Answers what it was late with. */
  catchUp(): void;
  /** Asks all who are connected whether they live. @returns how many have said so */
  enquire(): Promise<number>;
  /** Cuts all connections, and takes new ones. */
  cut(): void;
  close(): Promise<void>;
}

export const smppLogin = { system_id: 'watchword', password: 's3cret' };

/** @param tls a certificate; optional, default: no TLS */
export async function startSmsCentre(tls?: {
  readonly key: string;
  readonly cert: string;
}): Promise<SmsCentre> {
  const sockets = new Set<Socket>();
  const sessions = new Set<Session>();
  const late: (() => void)[] = [];
  const centre = { taken: [] as Pdu[], binds: 0, behaviours: [] as Behaviour[] };
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const session = new smpp.Session({ socket });
    sessions.add(session);
    session.on('error', () => socket.destroy());
    session.on('bind_transmitter', (pdu: Pdu) => {
      centre.binds += 1;
      const isRight = pdu.system_id === smppLogin.system_id && pdu.password === smppLogin.password;
      session.send(pdu.response({ command_status: isRight ? 0 : 0x0e }));
    });
    session.on('submit_sm', (pdu: Pdu) => {
      const behaviour = centre.behaviours.shift() ?? 0;
      const answer = (status: number) =>
        session.send(pdu.response({ command_status: status, message_id: 'x' }));
      if (behaviour === 'silent') return;
      if (behaviour === 'hang up') return void socket.destroy();
      if (behaviour === 'late') return void late.push(() => answer(0x0b));
      if (behaviour === 0) centre.taken.push(pdu);
      answer(behaviour);
    });
  };
  const server: Server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return Object.assign(centre, {
    port: typeof address === 'object' && address ? address.port : 0,
    catchUp: () => {
      for (const answer of late.splice(0)) answer();
    },
    enquire: async () => {
      const open = [...sessions].filter(({ socket }) => socket.writable);
      const asked = open.map(
        (session) => new Promise((resolve) => session.send(new smpp.PDU('enquire_link', {}), resolve)),
      );
      return (await Promise.all(asked)).length;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}
