/**
 * Whether any group carries settings. Where none does, and nobody else asks for the groups of a user, a login does not
 * look for them. One search tells it for all logins of a second; what this process writes counts at once.
 */

import type { Schema } from '../../config/config.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { and, hasAnyClass, present } from '../../foundation/text/filter.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import { afterWrites } from './after-writes.ts';

/** How long it is believed, in milliseconds: that there are some costs a search too many, and nothing else. */
const believed = { none: 1_000, some: 60_000 };

interface Parts {
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
  readonly schema: Schema;
  readonly clock: Pick<Clock, 'now'>;
}

interface Answer {
  /** When it was asked. */
  readonly since: number;
  readonly some: Promise<boolean>;
  /** Until it is answered, as long as the shorter one. */
  lasts: number;
}

export class GroupSettings {
  readonly #parts: Parts;
  readonly #answers = new Map<string, Answer>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * A group below this base may carry settings. Asked of OpenLDAP with our schema only: elsewhere it is always so.
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

  /** The same directory, whose writes are seen at the next login. */
  seeing(server: DirectoryServer): DirectoryServer {
    const { data_attribute: dataAttribute } = this.#parts.schema;
    return afterWrites(server, { dataAttribute, forget: () => this.#answers.clear() });
  }
}
