/** A store in which nothing is changed. */
import type { Ledger } from '../../ports/ledger.ts';

/** What a method would do cannot be told without doing it. */
export class Unrehearsed extends Error {}

const unrehearsed = async (): Promise<never> => {
  throw new Unrehearsed();
};

/** Reads are answered; nothing is removed, which nobody asks about; all that is asked about is not done. */
export const stillLedger = (ledger: Ledger): Ledger => ({
  get: (key) => ledger.get(key),
  claimed: (key) => ledger.claimed(key),
  family: (name) => ledger.family(name),
  remove: async () => {},
  put: unrehearsed,
  take: unrehearsed,
  claim: unrehearsed,
  count: unrehearsed,
  swap: unrehearsed,
  update: unrehearsed,
  enter: unrehearsed,
  settle: unrehearsed,
  probe: unrehearsed,
  holder: ledger.holder,
  isGone: (holder) => ledger.isGone(holder),
  close: async () => {},
});
