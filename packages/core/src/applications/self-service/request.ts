/** The methods by which administrators send links: to reset a password, or to register a factor. */
import type { ServiceConfig } from '../../config/config.ts';
import type { Domains } from '../../directory/domain.ts';
import { onEntry } from '../../directory/entry/entry.ts';
import { readUser } from '../../directory/entry/user.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { nameOf } from '../../login/account.ts';
import type { LinkItem } from './link/link.ts';
import { type LinkChannel, type SendingView, sendLink } from './link/send.ts';

export interface AskingView extends SendingView {
  readonly administrator: Dn;
  readonly domains: Domains;
  readonly config: SendingView['config'] & Pick<ServiceConfig, 'schema'>;
}

interface Wanted {
  readonly username: string;
  readonly domain?: string | undefined;
  readonly method?: LinkChannel | undefined;
  /** Hours. */
  readonly expires?: number | undefined;
  readonly comments?: string | undefined;
}

/** @throws ServiceError as {@link sendLink}; `permission_denied` for who may not set the password of the user */
export async function sendResetLink(
  { expires, mfa, ...wanted }: Wanted & { readonly mfa?: boolean | undefined },
  call: AskingView,
): Promise<string> {
  const { dn, name } = await findFor(wanted, call.config.schema.password_attributes, call);
  const seconds = expires === undefined ? undefined : expires * 3600;
  const entering = { word: 'pwreset' } as const;
  return sendLink({ ...wanted, ...by(call), dn, name, entering, seconds, needsFactor: mfa }, call);
}

/** @throws ServiceError as {@link sendLink}; `permission_denied` for who may not write what the user logs in with */
export async function sendRegistrationLink(
  {
    expires: seconds,
    application,
    item,
    ...wanted
  }: Wanted & {
    readonly application?: 'Otp' | 'SshKey' | 'PKI' | undefined;
    readonly item?: string | undefined;
  },
  call: AskingView,
): Promise<string> {
  const { dn, name } = await findFor(wanted, [call.config.schema.data_attribute], call);
  const entering = { word: 'selfreg', item: itemOf(application, item) } as const;
  return sendLink({ ...wanted, ...by(call), dn, name, entering, seconds }, call);
}

function itemOf(application: 'Otp' | 'SshKey' | 'PKI' = 'Otp', item = 'Token1'): LinkItem {
  if (application === 'SshKey') return 'SshKey';
  if (application === 'PKI')
    throw wrong('Parameter application: certificates are not registered by links here');
  switch (item) {
    case 'Token1':
    case 'Token2':
    case 'Token3':
    case 'FIDO':
    case 'OTPList':
    case 'AppKeys':
      return item;
    default:
      throw wrong('Parameter item is none of Token1, Token2, Token3, FIDO, OTPList, AppKeys in this version');
  }
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });

const by = ({ administrator }: AskingView) => ({
  spender: { client: administrator.key },
  requester: administrator.format(),
});

/** Reads the user as the administrator sees it. The holder of a link could do what it is for, so the administrator needs that right. */
async function findFor(
  { username, domain }: Wanted,
  attributes: readonly string[],
  { directory, memberships, domains, config: { schema } }: AskingView,
) {
  const named = { username, domain: domain === undefined ? domains.preset : domains.get(domain), schema };
  const entry = await readUser(directory, { ...named, memberships }, named.domain.loginAttributes);
  const dn = Dn.parse(entry.dn);
  await onEntry('update', dn, () => assertOneWritable(dn, attributes, directory));
  return { dn, name: nameOf({ dn, entry, domain: named.domain }) };
}

/** @throws ServiceError `permission_denied` */
async function assertOneWritable(
  dn: Dn,
  [attribute, ...others]: readonly string[],
  directory: AskingView['directory'],
): Promise<void> {
  if (attribute === undefined) return;
  try {
    await directory.assertWritable(dn, attribute);
  } catch (error) {
    if (others.length === 0 || !isReason(error, 'permission_denied')) throw error;
    await assertOneWritable(dn, others, directory);
  }
}
