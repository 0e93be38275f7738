/**
 * How much is sent in a day (UTC), with a hard stop: whoever makes a server send to numbers that earn them money (SMS pumping)
 * earns no more than that. What is asked for without a password stops at half of each budget, so that strangers leave the other
 * half to those who have shown one.
 */
import { hash } from 'node:crypto';
import type { ServiceConfig } from '../config/config.ts';
import { partsOf } from '../foundation/text/messages/sms-parts.ts';
import type { KeptState, TimedValue } from '../ports/store/ledger.ts';
import type { Message } from './parcel.ts';

/** The budgets of a configuration. */
export type Budgets = ServiceConfig['messages'];

/** Who makes it be sent, and to whom. */
export interface Spender {
  /** Stands for the user; left out: the recipient does. */
  readonly user?: string | undefined;
  /** Stands for the calling system, or the administrator. */
  readonly client: string;
  /** Nobody has shown a password for it. */
  readonly isAlone?: boolean | undefined;
}

interface Charge {
  readonly key: string;
  /** For the log: `of the user`. */
  readonly of: string;
  readonly most: number;
}

/** What a message counts against. */
export interface Charges {
  readonly keys: readonly string[];
  /**
   * Pure. What to write so that it is counted, or whose budget is used up.
   * @param found with {@link keys}
   */
  spend(found: KeptState): ReadonlyMap<string, TimedValue> | { readonly usedUp: string };
}

const day = 86_400_000;

export function chargesOf(message: Message, spender: Spender, budgets: Budgets, now: number): Charges {
  const today = Math.floor(now / day);
  const charges = chargedTo(message, spender, budgets);
  // A text in parts is as many SMS.
  const weight = message.way === 'sms' ? partsOf(message.content.text).parts : 1;
  const keyOf = ({ key }: Charge) => `spent:${today}:${message.way}:${key}`;
  return {
    keys: charges.map(keyOf),
    spend: (found) => {
      const counts = charges.map((charge) => [charge, countOf(found.value(keyOf(charge)))] as const);
      const over = counts.find(([{ most }, count]) => count + weight > most);
      if (over) return { usedUp: over[0].of };
      return new Map(
        counts.map(([charge, count]) => [
          keyOf(charge),
          { value: Buffer.from(String(count + weight)), seconds: (2 * day) / 1000 },
        ]),
      );
    },
  };
}

const countOf = (value: Uint8Array | undefined): number =>
  value ? Number(Buffer.from(value).toString()) : 0;

function chargedTo(
  message: Message,
  { user, client, isAlone }: Spender,
  budgets: Budgets,
): readonly Charge[] {
  const { way, content } = message;
  const { user_a_day, client_a_day, a_day } = budgets[way];
  const least = (most: number) => (isAlone ? Math.ceil(most / 2) : most);
  // What strangers use up of a user is not what the user has.
  const whose = `user-${isAlone ? 'alone-' : ''}${short(user ?? content.to)}`;
  return [
    { key: whose, of: 'of the user', most: least(user_a_day) },
    ...(way === 'sms' ? [prefixCharge(content.to, budgets.sms, least)] : []),
    { key: `client-${short(client)}`, of: 'of the client', most: least(client_a_day) },
    { key: 'all', of: 'of the day', most: least(a_day) },
  ];
}

function prefixCharge(
  to: string,
  { prefix_digits, prefix_a_day }: Budgets['sms'],
  least: (most: number) => number,
): Charge {
  const prefix = to.replace('+', '').slice(0, prefix_digits);
  return { key: `prefix-${prefix}`, of: `of numbers that begin with ${prefix}`, most: least(prefix_a_day) };
}

const short = (text: string): string => hash('sha256', text).slice(0, 32);
