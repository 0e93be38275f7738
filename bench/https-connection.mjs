/**
 * As little of an HTTP/1.1 client as will do: one kept-alive TLS connection, one request at a time, requests
 * made beforehand. A real client would use more processor time than the server that is measured.
 */
import { connect } from 'node:tls';

export class HttpsConnection {
  #socket;
  #received = Buffer.alloc(0);
  #waiting;

  /** @param port on loopback; `ca` in PEM */
  static open({ port, ca }) {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost', noDelay: true });
      socket.once('error', reject);
      socket.once('secureConnect', () => resolve(new HttpsConnection(socket)));
    });
  }

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the server closed the connection')));
  }

  /** Sends a whole request. @returns {head, body}: text and bytes of an answer with status 200 */
  send(bytes) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headLength = this.#received.indexOf('\r\n\r\n') + 4;
    if (headLength < 4) return;
    const head = this.#received.latin1Slice(0, headLength);
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]);
    if (this.#received.length < headLength + length) return;
    const body = this.#received.subarray(headLength, headLength + length);
    this.#received = Buffer.alloc(0);
    if (head.startsWith('HTTP/1.1 200 ')) this.#waiting?.resolve({ head, body });
    else this.#waiting?.reject(new Error(`${head}${body}`));
  }
}

/** The bytes of a request. */
export function postRequest(path, headers, body) {
  const all = { host: 'localhost', 'content-type': 'application/json', ...headers };
  const lines = Object.entries({ ...all, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}
