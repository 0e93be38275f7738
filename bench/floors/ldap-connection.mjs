/**
 * As little of LDAP as a login needs (RFC 4511): a search for one user and a simple bind, written by hand. What the
 * login floor speaks: nothing between it and slapd is to spare.
 */
import { connect } from 'node:tls';

/** Tag, length, contents: BER of the definite form. Strings of bytes, as latin1, are quicker to put together than buffers. */
function tlv(tag, contents) {
  const { length } = contents;
  const [high, low] = [length >> 8, length & 255];
  const lengths = length < 128 ? [length] : length < 256 ? [0x81, low] : [0x82, high, low];
  return String.fromCharCode(tag, ...lengths) + contents;
}
const octets = (text) => tlv(0x04, Buffer.from(text).latin1Slice());
const number = (tag, value) =>
  tlv(tag, String.fromCharCode(value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255));

/** @returns the operation of a search below `base` for `(uid=…)` alone, at most one attribute */
export function searchUser(base, attribute) {
  const before =
    octets(base) + tlv(0x0a, '\x02') + tlv(0x0a, '\0') + tlv(2, '\0') + tlv(2, '\0') + tlv(1, '\0');
  const after = tlv(0x30, octets(attribute));
  return (name) => tlv(0x63, before + tlv(0xa3, octets('uid') + octets(name)) + after);
}

export const bind = (dn, password) =>
  tlv(0x60, tlv(2, '\x03') + octets(dn) + tlv(0x80, Buffer.from(password).latin1Slice()));

/** Searches may wait on one at the same time; of binds one alone (RFC 4511 §4.2.1). */
export class LdapConnection {
  #socket;
  #id = 0;
  #waiting = new Map();
  #received = Buffer.alloc(0);

  static open({ url, ca }) {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), ca, servername: hostname, noDelay: true });
      socket.once('error', reject);
      socket.once('secureConnect', () => resolve(new LdapConnection(socket)));
    });
  }

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
  }

  /** @returns {code, dns}: the result code, and the names of the entries that came before it */
  send(operation) {
    this.#id += 1;
    const id = this.#id;
    this.#socket.write(tlv(0x30, number(2, id) + operation), 'latin1');
    return new Promise((resolve) => this.#waiting.set(id, { resolve, dns: [] }));
  }

  #take(chunk) {
    const bytes = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    let at = 0;
    for (;;) {
      const message = bytes.length - at < 6 ? undefined : headerAt(bytes, at);
      if (message === undefined || message.end > bytes.length) break;
      this.#message(bytes, message.start);
      at = message.end;
    }
    this.#received = bytes.subarray(at);
  }

  #message(bytes, start) {
    const idHeader = headerAt(bytes, start);
    const id = bytes.readUIntBE(idHeader.start, idHeader.end - idHeader.start);
    const operation = headerAt(bytes, idHeader.end);
    const first = headerAt(bytes, operation.start);
    const waiting = this.#waiting.get(id);
    if (operation.tag === 0x64) {
      waiting.dns.push(bytes.utf8Slice(first.start, first.end));
    } else {
      this.#waiting.delete(id);
      waiting.resolve({ code: bytes[first.start], dns: waiting.dns });
    }
  }
}

/** Where the contents of the element at `at` begin and end. */
function headerAt(bytes, at) {
  const length = bytes[at + 1];
  const more = length < 128 ? 0 : length & 127;
  const start = at + 2 + more;
  return { tag: bytes[at], start, end: start + (more === 0 ? length : bytes.readUIntBE(at + 2, more)) };
}
