/** An administrator who was not let in, on record: with the name that was tried, where it came from and why. */
import type { Core } from '../core.ts';
import type { Dn } from '../directory/dn.ts';
import type { ServiceError } from '../errors.ts';
import type { Transaction } from '../method.ts';
import { recordDeed } from '../recorded.ts';

export interface Refusal {
  /** What the caller is told. */
  readonly error: ServiceError;
  /** What nobody but the operators is; undefined: nothing was judged, as there were too many failures. */
  readonly why?: string;
  /** Of the user, where there is one. */
  readonly dn?: Dn;
}

/** Longest name that is told, in characters. */
const maxName = 256;

/** Whoever is refused unjudged must not fill the disk: only the log has that, not the event log. */
export async function recordRefusal(
  username: string,
  { error, why, dn }: Refusal,
  { transaction, core }: { transaction: Transaction; core: Core },
): Promise<void> {
  const { id, client } = transaction;
  const user = username.length > maxName ? `${username.slice(0, maxName)}…` : username;
  const facts = { user, outcome: 'refused', reason: why ?? error.reason };
  if (why === undefined) {
    core.log.warn('a login was refused', { transaction: id, client, ...facts });
    return;
  }
  const text = `Login of ${JSON.stringify(user)}: refused: ${why}`;
  await recordDeed({ application: 'Manager', dn, text, facts }, transaction, core);
}
