/**
 * Refusals in the event log, which strangers cause as often as they like: equal ones in a row are one event with a
 * count, and of different ones an hour has a limit. Both are read off the log itself, so nothing else is kept.
 */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { addressHolder } from '../../foundation/text/network.ts';
import { type AuditEvent, mostRefusals } from './event-log.ts';

/** So long after the first one an equal one is counted with it; then it is told anew. In milliseconds. */
const together = 3_600_000;

/** What was refused before, as far as it matters to one more. */
export interface Before {
  /** The last event that is equal, see {@link equalKey}. */
  readonly equal: AuditEvent | undefined;
  /** The last events of the same entry since then, not more than {@link lookedAt}. */
  readonly since: readonly AuditEvent[];
}

/** Whoever comes from many addresses would have an event for each attempt, if more of them were looked at. */
export const lookedAt = 16;

/** True: they are one event. */
export function isAgain({ equal, since }: Before, { time }: AuditEvent): boolean {
  return equal !== undefined && isWithin(equal.time, time) && since.every(({ count }) => count !== undefined);
}

/** Both as one event: it began when the first did. */
export const addUp = (first: AuditEvent, { time, count = 1 }: AuditEvent): AuditEvent => ({
  ...first,
  count: (first.count ?? 1) + count,
  last: time,
});

/** @param nth the refusal of the same application that came {@link mostRefusals} events ago */
export const isCrowded = (nth: AuditEvent | undefined, { time }: AuditEvent): boolean =>
  nth !== undefined && isWithin(nth.last ?? nth.time, time);

/** A clock that was set back begins anew. */
const isWithin = (begun: number, now: number): boolean => now >= begun && now - begun < together;

/** Stands for those that find no room of their own; each of them is in the log. */
export const restOf = ({ dn: _, source: __, ...event }: AuditEvent): AuditEvent => ({
  ...event,
  client: '-',
  text: `Refused: more than ${mostRefusals} different ones within an hour, the others are in the log only`,
});

/** The same for refusals that are counted together. @param entry its `dn` in one spelling */
export const equalKey = ({ application, text, client }: AuditEvent, entry: string): string =>
  digest('equal', application, entry, callerOf(client), text);

/** The same for all refusals of an application. */
export const refusalsKey = ({ application }: AuditEvent): string => digest('refused', application);

/** The holder of `ip:port`: each connection has another port. */
const callerOf = (client: string): string =>
  addressHolder(isIP(client) === 0 ? client.replace(/:\d+$/, '') : client);

const digest = (kind: string, ...parts: readonly string[]): string =>
  hash('sha256', JSON.stringify([kind, ...parts]), 'base64').slice(0, 24);
