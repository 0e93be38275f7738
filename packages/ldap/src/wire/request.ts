/** Requests as they go to a server: those that a login makes are put together here, all others by ldapts. */
import { ServiceError } from '@watchword/core/foundation';
import { type Bytes, element, integer, octetString } from './ber.ts';

/** A message (RFC 4511 §4.1.1) that gets its id when it is sent. Those of ldapts are such, too. */
export interface Request {
  messageId: number;
  /** Tag. */
  readonly protocolOperation: number;
  write(): Buffer;
}

export const operations = { bind: 0x60, search: 0x63 } as const;

/** Longer ones no server takes by itself, and lengths have three bytes at most in those that ldapts makes. */
const longest = 0xffffff;

export class OwnRequest implements Request {
  messageId = 0;
  readonly protocolOperation: number;
  /** What follows the id. */
  readonly #rest: Bytes;

  /** @param contents of the operation @param controls see {@link control} */
  constructor(operation: number, contents: Bytes, controls: Bytes = '') {
    this.protocolOperation = operation;
    this.#rest = element(operation, contents) + (controls === '' ? '' : element(0xa0, controls));
  }

  /** @throws ServiceError `too_large` */
  write(): Buffer {
    if (this.#rest.length > longest) throw new ServiceError('too_large');
    return Buffer.from(element(0x30, integer(0x02, this.messageId) + this.#rest), 'latin1');
  }
}

/** RFC 4511 §4.1.11, of one that is not critical. @param value BER, as the control defines it */
export const control = (type: string, value?: Bytes): Bytes =>
  element(0x30, octetString(type) + (value === undefined ? '' : element(0x04, value)));
