/** Verification of an export of the event log, by its lines and public keys. */
import { hash, type KeyObject, verify } from 'node:crypto';
import { type ChainHead, type ChainPart, type ChainRecord, type Checkpoint, genesisHash } from './chain.ts';

/** A summary of a valid export. */
export interface Verified {
  readonly events: number;
  /** Milliseconds since 1970; undefined without events. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  /** The time of its closing checkpoint. */
  readonly signed: number;
  /** Whether records before its begin were removed for their age. */
  readonly isShortened: boolean;
  /** Whether it begins at a checkpoint, as requested. */
  readonly isPart: boolean;
}

/** An error of the chain, with its line. */
export class ChainFault extends Error {
  override readonly name = 'ChainFault';
}

interface Reached extends ChainPart {
  /** The hash before the first record; undefined once a missing begin is explained. */
  readonly before: string | undefined;
}

interface Closing {
  readonly time: number;
  readonly spans: readonly ChainPart[];
  /** The record before it in its chain, which is the last that it names. */
  readonly own: ChainHead;
}

/** The most characters of a line. */
const longest = 1_000_000;
const shape = /^\{"hash":"([0-9a-f]{64})",(?:"signature":"([A-Za-z0-9+/]{86}==)",)?"record":(\{.*\})\}$/;

type CheckpointRecord = ChainRecord & { readonly checkpoint: Checkpoint };

/** A verifier that reads an export line by line. */
export class ChainVerifier {
  readonly #keys: readonly KeyObject[];
  readonly #chains = new Map<string, Reached>();
  #line = 0;
  #events = 0;
  #first: number | undefined;
  #last: number | undefined;
  #isShortened = false;
  #isPart = false;
  /** The last line, if it closes an export. */
  #closing: Closing | undefined;

  constructor(keys: readonly KeyObject[]) {
    this.#keys = keys;
  }

  /** Reads a line. @throws ChainFault */
  add(line: string): void {
    this.#line += 1;
    this.#closing = undefined;
    const { parsed, own, signature, record } = this.#read(line);
    const before = this.#chains.get(parsed.chain);
    this.#chains.set(parsed.chain, before ? this.#joined(before, parsed, own) : this.#begun(parsed, own));
    if ('event' in parsed) this.#note(parsed.event.time);
    else if ('checkpoint' in parsed) this.#check(parsed, signature, record);
    else this.#fail('is neither an event nor a checkpoint');
  }

  /** Ends the export. @throws ChainFault */
  end(): Verified {
    if (!this.#closing)
      throw new ChainFault('The export is cut off: the record that closes it is not there.');
    const { spans, own, time } = this.#closing;
    for (const { chain, from, number, hash, before } of this.#chains.values()) {
      const last = chain === own.chain ? own : { number, hash };
      const span = spans.find((one) => one.chain === chain);
      if (!span || span.from !== from || span.number !== last.number || span.hash !== last.hash)
        throw new ChainFault(`Chain ${chain} is not what the last record says that was exported of it.`);
      if (before !== undefined)
        throw new ChainFault(
          `Chain ${chain} has lost its beginning: no checkpoint says that it was removed.`,
        );
    }
    const lost = spans.find(({ chain }) => !this.#chains.has(chain));
    if (lost) throw new ChainFault(`Chain ${lost.chain}, which the last record names, is not there.`);
    const [first, last] = [this.#first, this.#last];
    return {
      ...{ events: this.#events, first, last, signed: time },
      ...{ isShortened: this.#isShortened, isPart: this.#isPart },
    };
  }

  #read(line: string) {
    const [, own = '', signature, record = ''] = (line.length <= longest && shape.exec(line)) || [];
    if (own === '') this.#fail('is not a record of an event log');
    if (hash('sha256', record) !== own)
      this.#fail('was changed: it does not have the hash that stands before it');
    try {
      const parsed: ChainRecord = JSON.parse(record);
      if (typeof parsed.chain !== 'string' || !Number.isSafeInteger(parsed.number)) throw new SyntaxError();
      return { parsed, own, signature, record };
    } catch {
      return this.#fail('is not a record of an event log');
    }
  }

  /** Checks that a record follows the last one of its chain. */
  #joined(reached: Reached, { number, previous }: ChainRecord, hash: string): Reached {
    const where = `is number ${number} and follows number ${reached.number}`;
    if (number > reached.number + 1) this.#fail(`${where}: what stood between them was dropped`);
    if (number !== reached.number + 1) this.#fail(`${where}: it stands in a wrong place, or twice`);
    if (previous !== reached.hash)
      this.#fail(`does not name the hash of number ${reached.number}: one of the two was put there later`);
    return { ...reached, number, hash };
  }

  #begun(parsed: ChainRecord, hash: string): Reached {
    const { chain, number, previous } = parsed;
    const isWhole = number === 1 && previous === genesisHash;
    const isPart = !isWhole && 'checkpoint' in parsed;
    if (isPart) this.#isPart = true;
    return { chain, from: number, number, hash, before: isWhole || isPart ? undefined : previous };
  }

  #check({ chain, number, previous, checkpoint }: CheckpointRecord, signature = '', record = ''): void {
    const bytes = Buffer.from(record, 'utf8');
    const isSigned = this.#keys.some((key) => verify(null, bytes, key, Buffer.from(signature, 'base64')));
    if (!isSigned) this.#fail('is a checkpoint that none of the keys has signed');
    const { removed, exported: spans, time } = checkpoint;
    const reached = this.#chains.get(chain);
    if (reached && reached.before === removed?.hash && removed?.number === reached.from - 1) {
      this.#chains.set(chain, { ...reached, before: undefined });
      this.#isShortened = true;
    }
    if (spans) this.#closing = { time, spans, own: { chain, number: number - 1, hash: previous } };
  }

  #note(time: number): void {
    this.#events += 1;
    this.#first = Math.min(this.#first ?? time, time);
    this.#last = Math.max(this.#last ?? time, time);
  }

  #fail(what: string): never {
    throw new ChainFault(`Line ${this.#line} ${what}.`);
  }
}
