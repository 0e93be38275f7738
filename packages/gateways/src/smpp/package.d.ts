/** Types of the part of the package smpp that is used here; it brings none. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  /** A protocol data unit: a request, or the response to one. */
  export interface Pdu {
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly [field: string]: unknown;
    isResponse(): boolean;
    response(fields?: object): Pdu;
  }

  export interface Session extends EventEmitter {
    readonly socket: Socket;
    /** False: the socket takes nothing more. */
    send(pdu: Pdu, answered?: (response: Pdu) => void): boolean;
  }

  interface Smpp {
    readonly Session: new (options: { readonly socket: Socket }) => Session;
    readonly PDU: new (command: string, fields: object) => Pdu;
  }

  const smpp: Smpp;
  export default smpp;
}
