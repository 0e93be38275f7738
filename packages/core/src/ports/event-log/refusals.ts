/**
 * Refusals in the event log, which anyone can cause without limit: equal refusals in a row are one event with a count, and different ones
 * are limited per hour. Both rules read the log only.
 */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { addressBlock } from '../../foundation/text/network.ts';
import { type AuditEvent, maxRefusals } from './event-log.ts';

/** Milliseconds after the first refusal within which equal ones are counted with it. */
const together = 3_600_000;

/** The earlier events that decide about a further refusal. */
export interface EarlierEvents {
  /** The last equal event, see {@link sameRefusalKey}. */
  readonly equal: AuditEvent | undefined;
  /** The last events of the entry since then, at most {@link refusalLookback}. */
  readonly since: readonly AuditEvent[];
}

/** The most events of an entry that are read. */
export const refusalLookback = 16;

/** Returns whether a refusal is counted with the equal event. */
export function isRepeatedRefusal({ equal, since }: EarlierEvents, { time }: AuditEvent): boolean {
  return equal !== undefined && isWithin(equal.time, time) && since.every(({ count }) => count !== undefined);
}

/** Adds a refusal to the first event. */
export const mergeRefusal = (first: AuditEvent, { time, count = 1 }: AuditEvent): AuditEvent => ({
  ...first,
  count: (first.count ?? 1) + count,
  last: time,
});

/** Returns whether an application has its limit of refusals. @param nth its refusal {@link maxRefusals} events ago */
export const isOverRefusalLimit = (nth: AuditEvent | undefined, { time }: AuditEvent): boolean =>
  nth !== undefined && isWithin(nth.last ?? nth.time, time);

/** Returns whether now is within the time; not if the clock was set back. */
const isWithin = (begun: number, now: number): boolean => now >= begun && now - begun < together;

/** Makes the event that counts the refusals beyond the limit; each is in the log. */
export const overflowEvent = ({ dn: _, source: __, ...event }: AuditEvent): AuditEvent => ({
  ...event,
  client: '-',
  text: `Refused: more than ${maxRefusals} different ones within an hour, the others are in the log only`,
});

/** Returns a key that equal refusals share. @param entry {@link eventEntryKey} the event */
export const sameRefusalKey = ({ application, text, client }: AuditEvent, entry: string): string =>
  digest('equal', application, entry, callerOf(client), text);

/** Returns the key of all refusals of an application. */
export const applicationRefusalsKey = ({ application }: AuditEvent): string => digest('refused', application);

/** Returns the address holder of `ip:port`, without the port, which differs for each connection. */
const callerOf = (client: string): string =>
  addressBlock(isIP(client) === 0 ? client.replace(/:\d+$/, '') : client);

const digest = (kind: string, ...parts: readonly string[]): string =>
  hash('sha256', JSON.stringify([kind, ...parts]), 'base64').slice(0, 24);
