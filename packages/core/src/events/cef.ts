/** An event as a line of the Common Event Format (ArcSight CEF, version 0), for whoever gathers events of many programs. */
import { isIP } from 'node:net';
import { version } from '../foundation/version.ts';
import type { AuditEvent } from '../ports/event-log/event-log.ts';

/** @param where the record that it stands in: `chain:number` */
export function cefOf(event: AuditEvent, where: string): string {
  const { application, count } = event;
  const [kind, severity] = count === undefined ? ['event', 3] : ['refused', 5];
  const header = [
    'Watchword',
    'Watchword',
    version,
    `${application}:${kind}`,
    `${application} ${kind}`,
    severity,
  ];
  const fields = Object.entries(fieldsOf(event, where)).filter(([, value]) => value !== undefined);
  const extension = fields.map(([name, value]) => `${name}=${escaped(String(value), /[\\=]/g)}`);
  return `CEF:0|${header.map((part) => escaped(String(part), /[\\|]/g)).join('|')}|${extension.join(' ')}`;
}

/** By the names of its dictionary; what it has no name for goes into strings of one's own. */
function fieldsOf({ time, last, count, client, host, source, session, dn, text }: AuditEvent, where: string) {
  const [address, port] = splitAddress(client);
  return {
    ...{ rt: time, end: last, cnt: count, externalId: where, dvchost: host },
    ...(isIP(address) === 4 && { src: address, spt: port }),
    ...(isIP(address) === 6 && { c6a2Label: 'Source IPv6 Address', c6a2: address, spt: port }),
    ...{ cs1Label: 'session', cs1: session },
    ...(dn !== undefined && { cs2Label: 'dn', cs2: dn }),
    ...(source !== undefined && { cs3Label: 'address of the end user', cs3: source }),
    msg: text,
  };
}

/** `ip:port`, IPv6 with or without brackets; `-` in process. */
function splitAddress(client: string): readonly [address: string, port: string | undefined] {
  const [, address = client, port] = /^\[?([^\]]*)\]?:(\d+)$/.exec(client) ?? [];
  return isIP(address) === 0 ? [client, undefined] : [address, port];
}

/** A line break ends an event. */
const escaped = (text: string, special: RegExp): string =>
  text.replace(special, (found) => `\\${found}`).replace(/\r\n|\r|\n/g, '\\n');
