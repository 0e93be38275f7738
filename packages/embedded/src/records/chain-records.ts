/**
 * The records of the event chain in LMDB, by number: the byte 1, then position, hash, signature and the record's JSON as lines of UTF-8. JSON
 * has no line feeds. Earlier versions used lmdb's encoding of objects, which takes several times as long.
 */
import type { LinkedRecord } from '@watchword/core/ports';
import type { Database, Environment } from '../storage/environment.ts';

export interface Kept extends Omit<LinkedRecord, 'number' | 'counted'> {
  /** The position of an event when it was added; a count moves it. */
  readonly position: number;
}

interface Range {
  readonly start?: number;
  readonly limit?: number;
  readonly reverse?: boolean;
}

export class ChainRecords {
  /** Undefined: a record in the format of earlier versions. */
  readonly #records: Database<Kept | undefined, number>;
  readonly #older: Database<Kept, number>;

  constructor(environment: Environment) {
    const ordered = { keyEncoding: 'ordered-binary' } as const;
    this.#records = environment.table('event-chain', { ...ordered, encoder: { encode, decode } });
    this.#older = environment.table('event-chain', ordered);
  }

  get(number: number): Kept | undefined {
    return this.#records.get(number) ?? this.#older.get(number);
  }

  put(number: number, kept: Kept): void {
    this.#records.put(number, kept);
  }

  remove(number: number): void {
    this.#records.remove(number);
  }

  *range(range: Range = {}): Generator<readonly [number: number, kept: Kept]> {
    for (const { key, value } of this.#records.getRange(range)) {
      const kept = value ?? this.#older.get(key);
      if (kept) yield [key, kept];
    }
  }

  get first(): number | undefined {
    const [first] = this.#records.getKeys({ limit: 1 });
    return first;
  }

  get last(): number | undefined {
    const [last] = this.#records.getKeys({ reverse: true, limit: 1 });
    return last;
  }
}

/** The first byte of a value in text form. Values of earlier versions never begin with it. */
export const byteOfText = '\u0001';
export const isText = (bytes: Uint8Array): boolean => bytes[0] === 1;

export const textIn = (bytes: Buffer): string => bytes.toString('utf8', 1, bytes.length);

const encode = (kept: Kept | undefined): Buffer =>
  kept
    ? Buffer.from(
        `${byteOfText}${kept.position}\n${kept.hash}\n${kept.signature ?? ''}\n${kept.record}`,
        'utf8',
      )
    : Buffer.alloc(0);

function decode(bytes: Buffer): Kept | undefined {
  if (!isText(bytes)) return undefined;
  const [position, hash = '', signature = '', record = ''] = textIn(bytes).split('\n');
  return { position: Number(position), hash, record, ...(signature !== '' && { signature }) };
}
