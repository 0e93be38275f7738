/** The binary attributes of a server, by the syntaxes of its schema. */

import { type BinaryAttributeNames, binaryAttributeNames, isReason } from '@watchword/core/foundation';
import type { Clock, Log, SchemaDefinitions } from '@watchword/core/ports';
import { Lazy } from './connection/lazy.ts';

/** The age in milliseconds at which the schema, which an administrator may change, is read again. */
const timeToLive = 600_000;

export class BinaryAttributes {
  readonly #names: Lazy<BinaryAttributeNames>;
  readonly #clock: Clock;
  readonly #log: Log;
  #since = 0;
  #isWarned = false;

  constructor(
    schema: () => Promise<SchemaDefinitions>,
    { clock, log }: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#names = new Lazy(() => this.#read(schema));
  }

  /** Returns names in lower case; none if the service cannot read the schema. @throws ServiceError `unavailable` */
  names(): Promise<BinaryAttributeNames> {
    const age = this.#clock.now() - this.#since;
    if (age < 0 || age > timeToLive) this.forget();
    return this.#names.promise();
  }

  forget(): void {
    this.#names.forget();
  }

  async #read(schema: () => Promise<SchemaDefinitions>): Promise<BinaryAttributeNames> {
    this.#since = this.#clock.now();
    try {
      return binaryAttributeNames((await schema()).attributeTypes);
    } catch (error) {
      if (isReason(error, 'unavailable')) throw error;
      if (!isReason(error, 'permission_denied') && !this.#isWarned) {
        this.#isWarned = true;
        this.#log.warn('the schema cannot be read: which attributes hold bytes is taken from a list', {
          error,
        });
      }
      return new Map();
    }
  }
}
