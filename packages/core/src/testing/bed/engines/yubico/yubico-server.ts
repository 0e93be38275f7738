/**
 * A server of the Yubico Validation Protocol 2.0 for tests, and servers that stand in its place. Written out of the description: a refusal
 * names neither the code nor the nonce, as that of Yubico's own server.
 */
import { createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Yubikey } from './yubikey.ts';

type Fields = Readonly<Record<string, string>>;

export class YubicoServer {
  readonly clientId = 4711;
  readonly key = randomBytes(20);
  readonly keys: Yubikey[] = [];
  /** The requests. */
  asked: Fields[] = [];
  /** Changes an honest answer before it is signed; undefined: there is no answer. */
  twist: (answer: Fields) => Fields | undefined = (answer) => answer;
  /** Changes the lines of an answer. */
  send: (text: string) => string = (text) => text;
  readonly #seen = new Map<Yubikey, { number: number; nonce: string }>();
  readonly #server = createServer((request, response) => {
    const fields = Object.fromEntries(new URL(request.url ?? '', 'http://server').searchParams);
    this.asked.push(fields);
    const answer = this.twist(this.#judged(fields));
    if (answer) response.end(this.send(this.#signed({ t: new Date().toISOString(), ...answer })));
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/wsapi/2.0/verify`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #judged({ h = '', ...fields }: Fields): Fields {
    const { id, otp = '', nonce = '' } = fields;
    if (id !== String(this.clientId)) return { status: 'NO_SUCH_CLIENT' };
    if (h !== this.#hmac(fields)) return { status: 'BAD_SIGNATURE' };
    const found = this.keys
      .map((key) => ({ key, number: numberOf(otp, key) }))
      .find((one) => one.number >= 0);
    if (!found) return { status: 'BAD_OTP' };
    const seen = this.#seen.get(found.key);
    if (seen?.number === found.number && seen.nonce === nonce) return { status: 'REPLAYED_REQUEST' };
    if (seen && seen.number >= found.number) return { status: 'REPLAYED_OTP' };
    this.#seen.set(found.key, { number: found.number, nonce });
    return { status: 'OK', otp, nonce, sl: '100' };
  }

  #signed = (fields: Fields): string =>
    Object.entries({ h: this.#hmac(fields), ...fields })
      .map(([name, value]) => `${name}=${value}\r\n`)
      .join('');

  #hmac(fields: Fields): string {
    const sorted = Object.keys(fields)
      .sort()
      .map((name) => `${name}=${fields[name]}`);
    return createHmac('sha1', this.key).update(sorted.join('&')).digest('base64');
  }
}

/** The number of the use; -1: it is of another key. */
function numberOf(otp: string, { key, privateId, publicId }: Yubikey): number {
  const hex = otp.replace(/./g, (letter) => 'cbdefghijklnrtuv'.indexOf(letter).toString(16));
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== publicId.length + 16 || !bytes.subarray(0, publicId.length).equals(publicId))
    return -1;
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(publicId.length)), decipher.final()]);
  return plain.subarray(0, 6).equals(privateId) ? plain.readUInt16LE(6) * 256 + plain.readUInt8(11) : -1;
}
