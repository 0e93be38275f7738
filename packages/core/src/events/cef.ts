/** Formats events of the event log as lines of the Common Event Format (ArcSight CEF, version 0), for export to SIEM systems. */
import { isIP } from 'node:net';
import { version } from '../foundation/version.ts';
import type { AuditEvent } from '../ports/event-log/event-log.ts';

/** Formats an event. @param record the position of the event in the event log: `chain:number` */
export function cefOf(event: AuditEvent, record: string): string {
  const { application, count } = event;
  // Refusals are counted (equal ones are one event), and no other event has a count.
  const [kind, severity] = count === undefined ? ['event', 3] : ['refused', 5];
  const header = [
    'Watchword',
    'Watchword',
    version,
    `${application}:${kind}`,
    `${application} ${kind}`,
    severity,
  ];
  const fields = Object.entries(fieldsOf(event, record)).filter(([, value]) => value !== undefined);
  const extension = fields.map(([name, value]) => `${name}=${escaped(String(value), /[\\=]/g)}`);
  return `CEF:0|${header.map((part) => escaped(String(part), /[\\|]/g)).join('|')}|${extension.join(' ')}`;
}

/** Returns the fields under the names of the CEF dictionary; others go into custom strings. */
function fieldsOf(
  { time, last, count, client, host, source, session, dn, text }: AuditEvent,
  record: string,
) {
  const [address, port] = splitAddress(client);
  return {
    ...{ rt: time, end: last, cnt: count, externalId: record, dvchost: host },
    ...(isIP(address) === 4 && { src: address, spt: port }),
    ...(isIP(address) === 6 && { c6a2Label: 'Source IPv6 Address', c6a2: address, spt: port }),
    ...{ cs1Label: 'session', cs1: session },
    ...(dn !== undefined && { cs2Label: 'dn', cs2: dn }),
    ...(source !== undefined && { cs3Label: 'address of the end user', cs3: source }),
    msg: text,
  };
}

/** Splits `ip:port`, where IPv6 may have brackets. A client in process is `-`. */
function splitAddress(client: string): readonly [address: string, port: string | undefined] {
  const [, address = client, port] = /^\[?([^\]]*)\]?:(\d+)$/.exec(client) ?? [];
  return isIP(address) === 0 ? [client, undefined] : [address, port];
}

/** Escapes special characters, and line breaks, which would end the event. */
const escaped = (text: string, special: RegExp): string =>
  text.replace(special, (found) => `\\${found}`).replace(/\r\n|\r|\n/g, '\\n');
