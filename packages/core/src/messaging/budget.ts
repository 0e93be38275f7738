/**
 * Daily budgets of messages (UTC), which bound the damage of SMS pumping. Messages that are requested without a password may use half of each
 * budget, so that the other half is left to users who have shown a password.
 */
import { hash } from 'node:crypto';
import type { ServiceConfig } from '../config/config.ts';
import { partsOf } from '../foundation/text/messages/sms-parts.ts';
import type { KeyState, TimedValue } from '../ports/store/ledger.ts';
import type { Message } from './stored-message.ts';

/** The budgets of a configuration. */
export type Budgets = ServiceConfig['messages'];

/** The user and the client that a message is charged to. */
export interface Spender {
  /** The key of the user; the recipient if left out. */
  readonly user?: string | undefined;
  /** The key of the calling system, or of the administrator. */
  readonly client: string;
  /** Whether the message was requested without a password. */
  readonly isAlone?: boolean | undefined;
}

interface Charge {
  readonly key: string;
  /** The owner of the budget in messages: `of the user`. */
  readonly of: string;
  readonly most: number;
}

/** The budgets that a message counts against. */
export interface Charges {
  readonly keys: readonly string[];
  /**
   * Counts the message; pure.
   * @param found values of {@link keys}
   * @returns the values to write, or the budget that is used up
   */
  spend(found: KeyState): ReadonlyMap<string, TimedValue> | { readonly usedUp: string };
}

const day = 86_400_000;

export function chargesOf(message: Message, spender: Spender, budgets: Budgets, now: number): Charges {
  const today = Math.floor(now / day);
  const charges = chargedTo(message, spender, budgets);
  // Each part of a text is an SMS.
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
  const { way: channel, content } = message;
  const { user_a_day, client_a_day, a_day } = budgets[channel];
  const least = (most: number) => (isAlone ? Math.ceil(most / 2) : most);
  // Messages without a password have a budget of their own for each user.
  const whose = `user-${isAlone ? 'alone-' : ''}${short(user ?? content.to)}`;
  return [
    { key: whose, of: 'of the user', most: least(user_a_day) },
    ...(channel === 'sms' ? [prefixCharge(content.to, budgets.sms, least)] : []),
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
