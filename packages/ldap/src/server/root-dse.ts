/** The root DSE of this server, RFC 4512 §5.1. */

import { version } from '@watchword/core/foundation';
import type { Entry } from '@watchword/core/ports';
import { oids } from './responses.ts';

interface Offered {
  readonly bases: readonly string[];
  readonly offersTls: boolean;
}

/** @param requested names as the client spells them */
export function rootDse(requested: readonly string[], { bases, offersTls }: Offered): Entry {
  const operational = new Map<string, readonly string[]>([
    ['namingcontexts', bases],
    ['supportedldapversion', ['3']],
    ['supportedextension', offersTls ? [oids.startTls, oids.whoAmI] : [oids.whoAmI]],
    ['vendorname', ['Watchword']],
    ['vendorversion', [version]],
  ]);
  const names = new Set(requested.map((name) => name.toLowerCase()));
  const all = names.has('+');
  const objectClass: [string, readonly string[]][] =
    names.size === 0 || names.has('*') || names.has('objectclass') ? [['objectclass', ['top']]] : [];
  const selected = [...operational].filter(([name]) => all || names.has(name));
  return { dn: '', attributes: new Map([...objectClass, ...selected]) };
}
