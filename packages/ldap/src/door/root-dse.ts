/** What this server says of itself: RFC 4512 §5.1. */

import { version } from '@watchword/core/foundation';
import type { Entry } from '@watchword/core/ports';
import { oids } from './answers.ts';

interface Offered {
  readonly bases: readonly string[];
  readonly offersTls: boolean;
}

/** @param asked names as the client has them */
export function rootDse(asked: readonly string[], { bases, offersTls }: Offered): Entry {
  const operational = new Map<string, readonly string[]>([
    ['namingcontexts', bases],
    ['supportedldapversion', ['3']],
    ['supportedextension', offersTls ? [oids.startTls, oids.whoAmI] : [oids.whoAmI]],
    ['vendorname', ['Watchword']],
    ['vendorversion', [version]],
  ]);
  const names = new Set(asked.map((name) => name.toLowerCase()));
  const all = names.has('+');
  const objectClass: [string, readonly string[]][] =
    names.size === 0 || names.has('*') || names.has('objectclass') ? [['objectclass', ['top']]] : [];
  const told = [...operational].filter(([name]) => all || names.has(name));
  return { dn: '', attributes: new Map([...objectClass, ...told]) };
}
