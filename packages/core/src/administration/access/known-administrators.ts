/** A bounded cache of which users have administrative rights, so that a warm login searches no group for its members. */

import type { AdministratorCheck } from '../../directory/data/floor.ts';
import { ExpiringCache } from '../../foundation/runtime/bounded-cache.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import type { MadeRole, MadeRoles } from './made/made-roles.ts';

/** Lifetimes of answers, in milliseconds: an outdated `yes` keeps a policy strict, an outdated `no` loosens it. */
const believed = { yes: 60_000, no: 1_000 };
/** Users in memory; the cache is cleared when it is full. */
const capacity = 10_000;

/** Nearly all users are no administrators: their answers are in memory for a second or two, and not for as long as a `yes`. */
const emptyCache = () => ({
  all: new ExpiringCache<Answer>({ capacity, lifetime: believed.no }),
  yes: new ExpiringCache<Answer>({ capacity, lifetime: believed.yes }),
});

interface Parts {
  /** @throws ServiceError `unavailable` */
  readonly isAdministrator: (user: Entry) => Promise<boolean>;
  readonly madeRoles: Pick<MadeRoles, 'read'>;
  readonly clock: Pick<Clock, 'now'>;
}

interface Answer {
  /** The roles made at run time when the directory was searched: another array after any change. */
  readonly rows: readonly MadeRole[];
  readonly since: number;
  readonly is: Promise<boolean>;
  /** `believed.no` until the answer is there. */
  lasts: number;
}

export class KnownAdministrators implements AdministratorCheck {
  readonly #parts: Parts;
  #answers = emptyCache();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Returns whether a user has administrative rights, from memory while that is young. @throws ServiceError `unavailable` */
  async isAdministrator(user: Entry): Promise<boolean> {
    const { key } = Dn.parse(user.dn);
    const rows = await this.#parts.madeRoles.read();
    const now = this.#parts.clock.now();
    const answers = this.#answers;
    const known = answers.all.get(key, now) ?? answers.yes.get(key, now);
    const isYoung = known && now >= known.since && now - known.since < known.lasts;
    if (isYoung && known.rows === rows) return known.is;
    const is = this.#parts.isAdministrator(user);
    const answer = answers.all.keep(key, { rows, since: now, is, lasts: believed.no }, now);
    is.then(
      (yes) => {
        if (!yes) return;
        answer.lasts = believed.yes;
        answers.yes.keep(key, answer, now);
      },
      () => {
        answer.lasts = 0;
      },
    );
    return is;
  }

  /** Empties the cache; answers under way are not kept either. */
  forget(): void {
    this.#answers = emptyCache();
  }
}
