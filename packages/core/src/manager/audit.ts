/** What the audit says of an administrative change: who, which method, on what, and how it ended. */
import { type AnyMethod, type Call, entriesOf } from '../method.ts';
import { type AuditEvent, printable } from '../ports/records.ts';

export interface Deed {
  /** The method's name as it is published here. */
  readonly name: string;
  readonly method: AnyMethod;
  /** The parameters as the method got them; none if they could not be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What the method says of what it did. */
  readonly told: Readonly<Record<string, string>>;
  /** `done`, `no change`, `refused (not_found)` */
  readonly outcome: string;
}

/** concepts.md §8. Names are written by RFC 4514: nobody hides from a search of the log behind a spelling. */
export function auditEvent(deed: Deed, { administrator, core, transaction }: Call): AuditEvent {
  const [entry] = entriesOf(deed.method, deed.values);
  const call = [deed.name, ...tellParameters(deed)].join(' ');
  return {
    time: core.clock.now(),
    client: transaction.client,
    host: core.host,
    application: 'Manager',
    session: transaction.id,
    ...(entry && { dn: entry.format() }),
    text: printable(`${administrator.format()}: ${call}: ${deed.outcome}`),
  };
}

/** Longest value that is told, in characters. */
const maxTold = 256;

/** `dn="uid=alice,…"`; quoted, so that no value can pass for the rest of the line. */
function tellParameters({ method: { params }, values, told }: Deed): string[] {
  const given = Object.entries(params).flatMap(([name, row]) => {
    const text = Object.hasOwn(values, name) ? row.audit(values[name]) : undefined;
    return text === undefined ? [] : [[name, text] as const];
  });
  const all = new Map([...given, ...Object.entries(told)]);
  return Array.from(all, ([name, text]) => `${name}=${JSON.stringify(shorten(text))}`);
}

function shorten(text: string): string {
  return text.length > maxTold ? `${text.slice(0, maxTold)}…` : text;
}
