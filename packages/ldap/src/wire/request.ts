/** Encoding of the requests of a login; ldapts encodes all others. */
import { ServiceError } from '@watchword/core/foundation';
import { type Bytes, element, integer, octetString } from './ber.ts';

/** A message (RFC 4511 §4.1.1) that gets its id when it is sent; those of ldapts have this form. */
export interface Request {
  messageId: number;
  /** The tag. */
  readonly protocolOperation: number;
  write(): Buffer;
}

export const operations = { bind: 0x60, search: 0x63 } as const;

/** The limit in bytes of ldapts, whose lengths have three bytes; servers accept less by default. */
const longest = 0xffffff;

export class OwnRequest implements Request {
  messageId = 0;
  readonly protocolOperation: number;
  /** The message after its id. */
  readonly #rest: Bytes;

  /** @param contents contents of the operation @param controls see {@link control} */
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

/** Encodes a control that is not critical, RFC 4511 §4.1.11. @param value BER of the control */
export const control = (type: string, value?: Bytes): Bytes =>
  element(0x30, octetString(type) + (value === undefined ? '' : element(0x04, value)));
