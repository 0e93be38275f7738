/**
 * A cached check whether any group has settings. If none has, a login need not search the groups of its user. Writes of this process clear
 * the cache.
 */

import type { Schema } from '../../config/config.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { and, hasAnyClass, present } from '../../foundation/text/filter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import { afterWrites } from './after-writes.ts';

/** Lifetimes of answers in milliseconds. An outdated `some` only costs a search. */
const believed = { none: 1_000, some: 60_000 };

interface Parts {
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
  readonly schema: Schema;
  readonly clock: Pick<Clock, 'now'>;
}

interface Answer {
  /** The time of the search, in milliseconds since 1970. */
  readonly since: number;
  readonly some: Promise<boolean>;
  /** The shorter lifetime until the answer is there. */
  lasts: number;
}

export class GroupSettings {
  readonly #parts: Parts;
  readonly #answers = new Map<string, Answer>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Returns whether a group below a base may have settings. Searches only OpenLDAP with our schema; elsewhere the answer is true.
   * @throws ServiceError `unavailable`
   */
  maySome(base: Dn): Promise<boolean> {
    const now = this.#parts.clock.now();
    const known = this.#answers.get(base.key);
    if (known && now >= known.since && now - known.since < known.lasts) return known.some;
    const looking = this.#look(base);
    const answer: Answer = { since: now, some: looking, lasts: believed.none };
    this.#answers.set(base.key, answer);
    looking.then(
      (some) => {
        if (some) answer.lasts = believed.some;
      },
      () => {
        if (this.#answers.get(base.key) === answer) this.#answers.delete(base.key);
      },
    );
    return looking;
  }

  async #look(base: Dn): Promise<boolean> {
    const { server, schema } = this.#parts;
    const { vendor, accountSchema } = await server.capabilities(base);
    if (vendor !== 'openldap' || !accountSchema) return true;
    const filter = and(hasAnyClass(schema.group_classes), present(schema.settings_attribute));
    const limits = { limit: 1, partial: true };
    try {
      const found = await server.service.search({ base, scope: 'sub', filter, attributes: [], ...limits });
      return found.length > 0;
    } catch (error) {
      if (isReason(error, 'not_found')) return false;
      throw error;
    }
  }

  /** Wraps a directory so that its writes clear the cache. */
  seeing(server: DirectoryServer): DirectoryServer {
    const { data_attribute: dataAttribute } = this.#parts.schema;
    return afterWrites(server, { dataAttribute, forget: () => this.#answers.clear() });
  }
}
