/** Audit entries of administrative calls: the administrator, the method, its object and the outcome. */

import type { Call } from '../../applications/context/call.ts';
import type { Facts, NewAuditEvent } from '../../events/recorded.ts';
import { type AnyMethod, entriesOf } from '../../table/method.ts';

/** A call that has ended. */
export interface EndedCall {
  /** The method's name as it is published here. */
  readonly name: string;
  readonly method: AnyMethod;
  /** The parameters as the method got them; if they could not be read, those that name an entry and could. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Facts that the method reports. */
  readonly auditValues: Readonly<Record<string, string>>;
  readonly ending: Ending;
}

export type Ending = Pick<Facts, 'outcome' | 'reason' | 'milliseconds'> & {
  /** A sentence of ours, where callers may see it; it holds no value of a parameter but names of entries. */
  readonly detail?: string | undefined;
};

/** Makes the audit entry of a call. Names are written by RFC 4514, so that no spelling hides from a search of the log. */
export function callEntry(ended: EndedCall, administrator: Call['administrator']): NewAuditEvent {
  const [dn] = entriesOf(ended.method, ended.values);
  const { detail, ...facts } = ended.ending;
  const user = administrator.format();
  const call = [ended.name, ...parameterTexts(ended)].join(' ');
  const why = detail === undefined ? facts.reason : `${facts.reason}: ${shorten(detail)}`;
  const outcome = why === undefined ? facts.outcome : `refused (${why})`;
  return {
    ...{ application: 'Manager', dn, text: `${user}: ${call}: ${outcome}` },
    facts: { user, method: ended.name, ...facts },
  };
}

/** Longest value in an entry, in characters. */
const maxTold = 256;

/** `dn="uid=alice,…"`; quoted, so that no value can pass for the rest of the line. */
function parameterTexts({ method: { params }, values, auditValues }: EndedCall): string[] {
  const given = Object.entries(params).flatMap(([name, row]) => {
    const text = Object.hasOwn(values, name) ? row.audit(values[name]) : undefined;
    return text === undefined ? [] : [[name, text] as const];
  });
  const all = new Map([...given, ...Object.entries(auditValues)]);
  return Array.from(all, ([name, text]) => `${name}=${JSON.stringify(shorten(text))}`);
}

function shorten(text: string): string {
  return text.length > maxTold ? `${text.slice(0, maxTold)}…` : text;
}
