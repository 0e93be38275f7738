/** The licence as `Get_License_Details` answers it. Without one it is `Community` and nothing is limited. */

import type { Domains } from '../../directory/domain.ts';
import { countActivated } from '../../directory/entry/user.ts';
import type { EntryView } from '../../directory/view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { License, LicensedProduct } from '../../ports/license.ts';
import type { Names } from '../../table/dialect.ts';
import { instanceId } from './instance.ts';

/** The fields of `Get_License_Details`. */
export interface LicenseDetails {
  readonly type: string;
  /** `<used>/<total>`: users who are active, and how many may be; 0 is without limit. */
  readonly token_pool: string;
  /** Seconds for which this answer may be kept. */
  readonly cache_time: number;
  readonly customer_id: string;
  readonly instance_id: string;
  /** `YYYY-MM-DD HH:MM:SS` */
  readonly valid_from: string;
  readonly valid_to: string;
  /** Limits are texts; `allowed_options` is a list of words. */
  readonly products: Readonly<Record<string, ProductLimits>>;
  readonly error_message: string | null;
}

type ProductLimits = Readonly<Record<string, string | readonly string[]>>;

/** Returns the limits of one product, in our words or the installation's; none if the licence has no such product. */
export function limitsOf(
  { products }: LicenseDetails,
  product: string,
  names: Pick<Names, 'ours'>,
): ProductLimits {
  const ours = names.ours(product);
  return Object.entries(products).find(([name]) => names.ours(name) === ours)?.[1] ?? {};
}

/** The licence, and what is counted of the users that it limits. */
export interface LicenseView extends Omit<EntryView, 'directory'> {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
  readonly domains: Domains;
  readonly license?: License | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** @throws ServiceError `unavailable` if a licence is there, and its users cannot be counted */
export async function licenseDetails(view: LicenseView): Promise<LicenseDetails> {
  const { license, domains } = view;
  return license ? detailsOf(license, view) : { ...community, instance_id: instanceId(domains) };
}

const community = {
  type: 'Community',
  token_pool: '0/0',
  cache_time: 0,
  customer_id: '',
  valid_from: '1970-01-01 00:00:00',
  valid_to: '9999-12-31 23:59:59',
  products: {},
  error_message: null,
};

async function detailsOf(license: License, view: LicenseView): Promise<LicenseDetails> {
  const { type, customer_id, instance_id, valid_from, valid_to, ...content } = license.content;
  const users = await countActivated({ ...view, directory: view.server.service });
  return {
    ...{ type, customer_id, valid_from, valid_to },
    token_pool: `${users}/${content.token_pool ?? license.maximumUsers ?? 0}`,
    cache_time: content.cache_time,
    instance_id: instance_id ?? instanceId(view.domains),
    products: Object.fromEntries(
      Object.entries(content.products).map(([name, limits]) => [name, asTexts(limits)]),
    ),
    error_message: errorMessage(license, { users, now: view.clock.now() }),
  };
}

function asTexts({ allowed_options, ...limits }: LicensedProduct): ProductLimits {
  const texts = Object.entries(limits).flatMap(([name, limit]) =>
    limit === undefined ? [] : [[name, String(limit)]],
  );
  return { ...Object.fromEntries(texts), ...(allowed_options && { allowed_options }) };
}

/** Returns what prevents activations, or should have: other programs write to the directory, too. */
function errorMessage(license: License, { users, now }: { users: number; now: number }): string | null {
  const lapse = license.lapse(now);
  if (lapse !== undefined)
    return `The licence ${lapse}: logins go on, and no more users can be activated until there is another one.`;
  const limit = license.maximumUsers;
  if (limit === undefined || users <= limit) return null;
  return `The licence allows ${limit} activated users, and there are ${users}: logins go on, and no more users can be activated.`;
}
