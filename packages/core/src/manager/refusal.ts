/** An administrator who was not let in, on record: with the name that was tried, where it came from and why. */
import type { Core } from '../core.ts';
import { recordDeed, recordHappenings } from '../events/recorded.ts';
import { tellName } from '../events/told-name.ts';
import type { Happening } from '../limits/kept/events.ts';
import type { Place } from '../limits/kept/users-and-places.ts';
import type { Transaction } from '../table/method.ts';
import type { Dn } from '../text/dn.ts';

/** A login that somebody tries. */
export interface TriedLogin {
  /** The login name as it came. */
  readonly username: string;
  /** Of the user; undefined: nobody has the name. */
  readonly dn: Dn | undefined;
  readonly place: Place;
  readonly transaction: Transaction;
}

const application = 'Manager';

const nameOf = ({ username, dn }: TriedLogin, core: Core): string =>
  tellName(username, dn !== undefined, core);

/** @param why for nobody but the operators */
export async function recordRefusal(login: TriedLogin, why: string, core: Core): Promise<void> {
  const { dn, transaction } = login;
  const user = nameOf(login, core);
  const text = `Login of ${JSON.stringify(user)}: refused: ${why}`;
  await recordDeed(
    { application, dn, text, facts: { user, outcome: 'refused', reason: why } },
    transaction,
    core,
  );
}

/** Whoever is refused unjudged must not fill the disk: only the log has that, not the event log. */
export function logUnjudged(login: TriedLogin, why: string, core: Core): void {
  const { id: transaction, client } = login.transaction;
  const facts = { user: nameOf(login, core), outcome: 'refused', reason: why };
  core.log.warn('a login was refused', { transaction, client, ...facts });
}

/** What the limits made of it: the start of a refusal, for one. */
export async function recordLimits(
  login: TriedLogin,
  happened: readonly Happening[],
  core: Core,
): Promise<void> {
  const { dn, place, transaction } = login;
  await recordHappenings(happened, { application, dn, user: nameOf(login, core), place }, transaction, core);
}
