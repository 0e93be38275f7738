/** Checks of recipients, before a message is stored. */
import { isMailAddress } from '../foundation/text/messages/mail-address.ts';
import { phoneNumber } from '../foundation/text/messages/phone-number.ts';
import type { Budgets } from './budget.ts';
import type { Message } from './stored-message.ts';

export function isSendable({ way: channel, content }: Message, { sms }: Budgets): boolean {
  switch (channel) {
    case 'mail':
      return isMailAddress(content.to) && (content.from === undefined || isMailAddress(content.from));
    case 'sms':
      return isAllowedNumber(content.to, sms);
    case 'push':
      return /^[A-Za-z0-9]{1,32}:[\x21-\x7e]{1,4096}$/.test(content.to);
  }
}

/** Returns whether SMS may be sent to a number. @param number of {@link phoneNumber} */
const isAllowedNumber = (number: string, { prefixes }: Budgets['sms']): boolean =>
  phoneNumber(number) === number &&
  (prefixes.length === 0 || prefixes.some((prefix) => number.startsWith(prefix)));

/**
 * Reads a phone number of an entry. A number without a country code gets the configured `country`, in place of a leading 0.
 * @returns undefined where no SMS can be sent to it
 */
export function numberOf(text: string, sms: Budgets['sms']): string | undefined {
  const number = phoneNumber(text);
  if (number === undefined) return undefined;
  const { country } = sms;
  const whole =
    number.startsWith('+') || country === undefined ? number : `+${country}${number.replace(/^0/, '')}`;
  return isAllowedNumber(whole, sms) ? whole : undefined;
}

/** Reads a mail address of an entry; undefined where it is invalid. */
export const addressOf = (text: string): string | undefined =>
  isMailAddress(text.trim()) ? text.trim() : undefined;

/** Returns whether a text can be the sender of an SMS: a number, or 1 to 11 letters, digits and spaces (GSM 03.40 §9.1.2.5). */
export const isSenderName = (text: string): boolean =>
  phoneNumber(text) === text || /^[A-Za-z0-9](?:[A-Za-z0-9 ]{0,9}[A-Za-z0-9])?$/.test(text);
