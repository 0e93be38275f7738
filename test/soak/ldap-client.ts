/** As little of an LDAP client as will do: a bind, a search of one entry, an unbind (RFC 4511). */
import { connect } from 'node:tls';

const element = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const text = (value: string, tag = 0x04) => element(tag, Buffer.from(value));
const number = (value: number, tag = 0x02) => element(tag, Buffer.from([value]));
const message = (id: number, ...parts: readonly Uint8Array[]) => element(0x30, number(id), ...parts);

const bindRequest = (name: string, password: string) =>
  message(1, element(0x60, number(3), text(name), text(password, 0x80)));
const searchRequest = (base: string, uid: string) =>
  message(
    2,
    element(
      0x63,
      ...[text(base), number(2, 0x0a), number(0, 0x0a), number(0), number(0), number(0, 0x01)],
      element(0xa3, text('uid'), text(uid)),
      element(0x30, text('uid')),
    ),
  );
const unbindRequest = message(3, Buffer.from([0x42, 0]));

/** Result codes (RFC 4511 §4.1.9). */
const [success, invalidCredentials] = [0, 49];

export interface LdapLogin {
  readonly port: number;
  readonly ca: string;
  readonly base: string;
  readonly username: string;
  readonly password: string;
  /** How many times it looks for itself. */
  readonly searches: number;
  /** Ends without an unbind. */
  readonly isRude: boolean;
}

/** @returns what came of the bind, and how many searches found an entry */
export function loginByLdap(login: LdapLogin): Promise<{ readonly result: number; readonly found: number }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: login.port, ca: login.ca, servername: 'localhost' });
    let received = Buffer.alloc(0);
    let [result, found, done] = [-1, 0, 0];
    const end = () => {
      if (login.isRude) socket.destroy();
      else socket.end(unbindRequest);
      resolve({ result, found });
    };
    const take = (operation: number, body: Buffer) => {
      if (operation === 0x61) result = body[2] ?? -1;
      if (operation === 0x64) found += 1;
      if (operation === 0x65) done += 1;
      if (operation === 0x64) return;
      if (result !== success || done === login.searches) return end();
      socket.write(searchRequest(login.base, login.username));
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let read = frameOf(received); read; read = frameOf(received)) {
        received = received.subarray(read.length);
        // A message identifier of one octet comes first.
        const operation = contentOf(read).subarray(3);
        take(operation[0] ?? 0, contentOf(operation));
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the door closed the connection')));
    socket.once('secureConnect', () => socket.write(bindRequest(login.username, login.password)));
  });
}

export const outcomes = { success, invalidCredentials };

/** @returns the octets of the first element; undefined where they have not all come */
function frameOf(bytes: Buffer): Buffer | undefined {
  const [from, length] = headOf(bytes) ?? [];
  if (from === undefined || length === undefined || bytes.length < from + length) return undefined;
  return bytes.subarray(0, from + length);
}

const contentOf = (frame: Buffer): Buffer => frame.subarray(headOf(frame)?.[0] ?? 0);

function headOf(bytes: Buffer): readonly [number, number] | undefined {
  const first = bytes[1];
  if (first === undefined) return undefined;
  if (first < 128) return [2, first];
  const octets = first & 127;
  return bytes.length < 2 + octets ? undefined : [2 + octets, bytes.readUIntBE(2, octets)];
}
