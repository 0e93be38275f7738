/** An administrator who was not let in, on record: with the name that was tried, where it came from and why. */
import type { ServiceConfig } from '../config/config.ts';
import { type RecordingPorts, recordDeed, recordHappenings } from '../events/recorded.ts';
import { tellName } from '../events/told-name.ts';
import type { Happening } from '../limits/kept/events.ts';
import type { Place } from '../limits/kept/users-and-places.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Log } from '../ports/log.ts';
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

/** Where refusals are recorded, and how names that nobody has are told there. */
export interface RefusalPorts extends RecordingPorts {
  readonly log: Log;
  readonly keys: KeyRing;
  readonly config: Pick<ServiceConfig, 'log_unknown_names'>;
}

const nameOf = ({ username, dn }: TriedLogin, core: RefusalPorts): string =>
  tellName(username, dn !== undefined, core);

/** @param why for nobody but the operators */
export async function recordRefusal(login: TriedLogin, why: string, core: RefusalPorts): Promise<void> {
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
export function logUnjudged(login: TriedLogin, why: string, core: RefusalPorts): void {
  const { id: transaction, client } = login.transaction;
  const facts = { user: nameOf(login, core), outcome: 'refused', reason: why };
  core.log.warn('a login was refused', { transaction, client, ...facts });
}

/** What the limits made of it: the start of a refusal, for one. */
export async function recordLimits(
  login: TriedLogin,
  happened: readonly Happening[],
  core: RefusalPorts,
): Promise<void> {
  const { dn, place, transaction } = login;
  await recordHappenings(happened, { application, dn, user: nameOf(login, core), place }, transaction, core);
}
