/** The licence, concepts.md §9. Without a licence file it is `Community` and nothing is limited. */
import { createHmac } from 'node:crypto';
import type { Core } from '../core.ts';

/** specification §2.7 */
export interface License {
  readonly type: string;
  /** `<used>/<total>` */
  readonly token_pool: string;
  /** Seconds for which this answer may be kept. */
  readonly cache_time: number;
  readonly customer_id: string;
  readonly instance_id: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly valid_from: string;
  readonly valid_to: string;
  readonly products: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly error_message: string | null;
}

export function license(core: Core): License {
  return {
    type: 'Community',
    token_pool: '0/0',
    cache_time: 0,
    customer_id: '',
    instance_id: instanceId(core),
    valid_from: '1970-01-01 00:00:00',
    valid_to: '9999-12-31 23:59:59',
    products: {},
    error_message: null,
  };
}

/** The same on every node of an installation, as they share its domains and where these stand. */
function instanceId(core: Core): string {
  const domains = core.domains.all.map(({ name, base }) => `${name.toLowerCase()}=${base.key}`).sort();
  return createHmac('sha256', 'watchword instance')
    .update(domains.join('\n'))
    .digest('hex')
    .slice(0, 16)
    .toUpperCase();
}
