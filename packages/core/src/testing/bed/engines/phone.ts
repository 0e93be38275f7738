/** A phone in software, for tests: it confirms and signs. Written out of docs/guide/transactions.md, with nothing of what judges it. */
import { createHash, createHmac } from 'node:crypto';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

export interface Ask {
  readonly kind: string;
  readonly challenge: string;
  readonly issuer: string;
  readonly client: string;
  readonly data: string;
  /** Base64. */
  readonly file?: string;
  readonly proof: string;
  readonly code: number;
}

/** Posts JSON, and answers what came back. */
export type Post = (body: object) => Promise<Record<string, unknown>>;

export class Phone {
  readonly #secret: Uint8Array;
  readonly #post: Post;

  /** @param user `domain\\username`, sent where a session has no user yet */
  constructor(secret: Uint8Array, post: Post, user = '') {
    this.#secret = secret;
    this.#post = (body) => post({ ...body, ...(user && { user }) });
  }

  /** RFC 6287 §5.1, of the suites `OCRA-1:HOTP-SHA256-0:QH64` and `…-8:QH64`. @param question 64 hexadecimal digits */
  #respond(question: string, digits: 0 | 8 = 0): string {
    const input = Buffer.concat([
      Buffer.from(`OCRA-1:HOTP-SHA256-${digits}:QH64\0`),
      Buffer.from(question.padEnd(256, '0'), 'hex'),
    ]);
    const mac = createHmac('sha256', this.#secret).update(input).digest();
    if (digits === 0) return mac.toString('hex');
    const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff;
    return String(number % 1e8).padStart(8, '0');
  }

  get token(): string {
    return this.#respond(sha256('watchword-1\nname')).slice(0, 16);
  }

  question(word: string, session: string, ask: Omit<Ask, 'proof' | 'code'>): string {
    const { kind, challenge, issuer, client, data, file } = ask;
    const lines = [
      'watchword-1',
      word,
      kind,
      session,
      challenge,
      sha256(issuer),
      sha256(client),
      sha256(data),
    ];
    return sha256([...lines, file === undefined ? '-' : sha256(Buffer.from(file, 'base64'))].join('\n'));
  }

  /** Returns the question; undefined: none, or the proof of the server is wrong. */
  async look(session: string): Promise<Ask | undefined> {
    const found = (await this.#post({ session, token: this.token })) as unknown as Ask;
    if (found.code !== 2) return undefined;
    return found.proof === this.#respond(this.question('show', session, found)) ? found : undefined;
  }

  /**
   * @param seen the shown question, where it differs from the server's
   * @param besides the text after the word, as another member: the place of the phone, the key of what it opens
   */
  async say(
    word: 'confirm' | 'refuse',
    session: string,
    seen?: Ask,
    besides: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, unknown>> {
    const ask = seen ?? (await this.look(session));
    if (!ask) return { code: 0, message: 'nothing is asked' };
    const response = this.#respond(this.question([word, ...Object.values(besides)].join(' '), session, ask));
    return this.#post({ session, token: this.token, decision: word, response, ...besides });
  }

  /** The key of an envelope, by its salt. @param file base64 */
  key(file = ''): string {
    const salt = Buffer.from(file, 'base64').toString('hex', 12, 28);
    return this.#respond(sha256(`watchword-1\nencrypt\n${salt}`));
  }

  typed(session: string, ask: Ask): string {
    return this.#respond(this.question('confirm', session, ask), 8);
  }
}
