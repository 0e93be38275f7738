/** The identifier of this installation, for which a licence is issued. */
import { createHmac } from 'node:crypto';
import type { Domains } from '../../directory/domain.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import type { License } from '../../ports/license.ts';

/** The same on every node of an installation, as they share its domains and where these stand. */
export function instanceId({ all }: Domains): string {
  const domains = all.map(({ name, base }) => `${name.toLowerCase()}=${base.key}`).sort();
  return createHmac('sha256', 'watchword instance')
    .update(domains.join('\n'))
    .digest('hex')
    .slice(0, 16)
    .toUpperCase();
}

/** @throws StartError if a licence is for another installation */
export function assertForInstance({ content, name }: License, domains: Domains): void {
  const [wanted, own] = [content.instance_id, instanceId(domains)];
  if (wanted === undefined || wanted === own) return;
  throw new StartError(
    `${name} is for the instance ${wanted}, and the domains make this installation ${own}; ask whoever issued it for one for ${own}.`,
  );
}
