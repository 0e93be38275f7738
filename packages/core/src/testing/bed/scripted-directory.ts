/** An LDAP server that answers as a test tells it: what no server of ours says at will. */
import type { Socket } from 'node:net';
import { BerReader, BerWriter } from 'ldapts';
import { type LdapOptions, openLdapDirectory } from '../../../../ldap/src/index.ts';
import { Frames } from '../../../../ldap/src/wire/frames.ts';
import { systemClock } from '../../../../node/src/machine/clock.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import { KeptLog } from '../kept-log.ts';
import { listenOnLoopback } from './scratch.ts';

/** Tags of protocol operations, RFC 4511 §4. */
export const operations = {
  bindRequest: 0x60,
  bindResponse: 0x61,
  searchRequest: 0x63,
  searchEntry: 0x64,
  searchDone: 0x65,
  modifyRequest: 0x66,
  modifyResponse: 0x67,
  searchReference: 0x73,
  extendedResponse: 0x78,
} as const;

export interface ScriptedRequest {
  readonly id: number;
  /** Tag of the protocol operation. */
  readonly operation: number;
  readonly bytes: Buffer;
  isBindOf(text: string): boolean;
}

export interface ScriptedDirectory {
  readonly server: DirectoryServer;
  /** From now on the server takes no more bytes from the connections that it has. */
  stopReading(): void;
  /** The server has gone, and its port refuses. */
  endServer(): Promise<void>;
  close(): Promise<void>;
}

/** What a server says to a request, one write for each buffer. */
export type Script = (request: ScriptedRequest) => readonly Buffer[];

/** A directory on a server that follows the script; an Active Directory unless the options say otherwise. */
export async function openScriptedDirectory(
  script: Script,
  { log = new KeptLog(), ...options }: Partial<LdapOptions> & { readonly log?: KeptLog } = {},
): Promise<ScriptedDirectory> {
  const sockets: Socket[] = [];
  const listener = await listenOnLoopback((socket) => {
    sockets.push(socket);
    const frames = new Frames();
    socket.on('data', (chunk) => {
      for (const frame of frames.push(chunk))
        for (const bytes of script(requestOf(frame))) socket.write(bytes);
    });
  });
  const server = openLdapDirectory(
    {
      urls: [`ldap://127.0.0.1:${listener.port}`],
      allow_plain: true,
      bind_dn: 'CN=service',
      bind_password: 'x',
      base: 'DC=example,DC=test',
      vendor: 'active-directory',
      timeout_ms: 4_000,
      ...options,
    },
    { clock: systemClock, log },
  );
  const close = async (): Promise<void> => {
    await server.close();
    await listener.stop();
  };
  const stopReading = (): void => {
    for (const socket of sockets) socket.pause();
  };
  return { server, stopReading, endServer: () => listener.stop(), close };
}

function requestOf(bytes: Buffer): ScriptedRequest {
  const reader = new BerReader(bytes);
  reader.readSequence();
  const id = reader.readInt() ?? 0;
  const operation = reader.peek() ?? 0;
  return {
    id,
    operation,
    bytes,
    isBindOf: (text) => operation === operations.bindRequest && bytes.includes(text),
  };
}

/** Grants binds, and finds one entry without attributes whatever is searched. */
export const usual: Script = (request) => {
  const { bindRequest, bindResponse, searchRequest, searchDone } = operations;
  if (request.operation === bindRequest) return [reply(request, bindResponse)];
  if (request.operation === searchRequest)
    return [entry(request, 'CN=user,DC=example,DC=test'), reply(request, searchDone)];
  return [];
};

export interface ScriptedResult {
  /** RFC 4511 §4.1.9; default 0, success. */
  readonly code?: number;
  readonly diagnostic?: string;
  /** That there are more pages, RFC 2696. */
  readonly cookie?: string;
}

/** The end of an answer. */
export function reply(
  { id }: { readonly id: number },
  operation: number,
  { code = 0, diagnostic = '', cookie }: ScriptedResult = {},
): Buffer {
  const result = element(operation, (writer) => {
    writer.writeEnumeration(code);
    writer.writeString('');
    writer.writeString(diagnostic);
  });
  return message(id, cookie === undefined ? result : Buffer.concat([result, pageControl(cookie)]));
}

function pageControl(cookie: string): Buffer {
  const value = element(0x30, (writer) => {
    writer.writeInt(0);
    writer.writeString(cookie);
  });
  return element(0xa0, (writer) => {
    writer.startSequence();
    writer.writeString('1.2.840.113556.1.4.319');
    writer.writeBuffer(value, 0x04);
    writer.endSequence();
  });
}

/** @param attributes each a name and its values */
export function entry({ id }: ScriptedRequest, dn: string, ...attributes: readonly string[][]): Buffer {
  const found = element(operations.searchEntry, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [name = '', ...values] of attributes) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(0x31);
      writer.writeStringArray(values);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });
  return message(id, found);
}

/** A message of an operation and its controls, whatever bytes they are. */
export function message(id: number, operation: Buffer): Buffer {
  const contents = element(0x30, (writer) => writer.writeInt(id)).subarray(2);
  return element(0x30, (writer) => {
    for (const byte of [...contents, ...operation]) writer.writeByte(byte);
  });
}

function element(tag: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence(tag);
  write(writer);
  writer.endSequence();
  return writer.buffer;
}
