/** The page on which a user requests a link by name. Its response never shows whether the user exists; only the message does. */

import { loginModeOf } from '../../../administration/policy/client-mode.ts';
import type { CodeChannels } from '../../../authenticators/authenticator.ts';
import { kindsOf } from '../../../authenticators/user-authenticators.ts';
import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { lookUp, splitLogin } from '../../../directory/entry/user.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { addressBlock } from '../../../foundation/text/network.ts';
import { waitOut } from '../../../limits/refusal-answer.ts';
import { nameOf } from '../../../login/account.ts';
import type { AccountName } from '../../../login/request.ts';
import { channelAttributes, channelsOf, withoutLink } from '../../../messaging/contact-channels.ts';
import { read } from '../../../table/setting.ts';
import { factorCount } from '../desk/rights.ts';
import { isEndedByRights } from '../link/rights.ts';
import { sendLink, sentBy } from '../link/send.ts';
import { pwresetSettings } from '../settings.ts';
import { factorPolicy } from './factor-policy.ts';
import { isBlocked, type PageVisit } from './visit.ts';

/** From one address, or one /64 of IPv6, in ten minutes. */
const mostLinks = { by: 1, limit: 10, seconds: 600 };
/** Longest name in characters. */
const longestName = 255;

/** Takes as long whatever comes of it (docs/concepts/login.md#uniform-answer). @throws ServiceError `unavailable` */
export async function askForLink(username: string, visit: PageVisit): Promise<void> {
  const { view, transaction } = visit;
  const begun = view.clock.now();
  try {
    const why = await whyNotSent(username, visit);
    if (why !== undefined)
      view.log.info('no link for who asked for one', {
        transaction: transaction.id,
        client: transaction.client,
        why,
      });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    view.log.warn('a link could not be sent', { transaction: transaction.id, error });
  }
  await waitOut(begun, view.config.limits.login_failure_delay_ms, view.clock);
}

async function whyNotSent(username: string, visit: PageVisit): Promise<string | undefined> {
  const { view, address, transaction } = visit;
  if (username === '' || username.length > longestName) return 'the name is none';
  const holderOf = addressBlock(address);
  if ((await view.ephemeral.count(`links-asked:${holderOf}`, mostLinks)) === undefined)
    return 'too many were asked for from there';
  const found = await findUser(username, visit);
  if (!found) return 'there is no such user, or it is not active';
  const { profile, name } = found;
  if (await isBlocked(profile, view)) return 'an administrator has blocked the user';
  if (read(profile.settings, pwresetSettings.LinkMode) === 'NONE') return 'links are sent to nobody';
  if (await isEndedByRights({ dn: profile.dn, isUnauthenticated: true }, view))
    return 'the user is an administrator, and reset_links_for_administrators is not set';
  const factor = await factorOf(found, visit);
  if (factor === 'none') return 'the codes of the user go where the link would go';
  await sendLink(
    {
      ...{ dn: profile.dn, name, entering: { word: 'pwreset' }, needsFactor: factor === 'wanted' },
      spender: { client: `links:${holderOf}`, isAlone: true },
      requester: `${name.domain}\\${name.username}`,
    },
    { ...view, transaction },
  );
  return undefined;
}

interface FoundUser {
  readonly profile: EntryProfile;
  readonly name: AccountName;
  /** Contact channels for codes. */
  readonly channels: CodeChannels;
}

/** Finds the user as a login does; undefined: no user who could log in. */
async function findUser(username: string, { view }: PageVisit): Promise<FoundUser | undefined> {
  const { domains, config, server } = view;
  const { domain = domains.preset, name, whole } = splitLogin(username, domains);
  const login = {
    username: name,
    whole,
    domain,
    schema: config.schema,
    memberships: view.memberships,
    isService: true,
  };
  const attributes = [...domain.loginAttributes, ...channelAttributes(view)];
  const entry = await lookUp(server.service, login, attributes);
  if (typeof entry === 'string') return undefined;
  const dn = Dn.parse(entry.dn);
  try {
    const profile = await readProfile(dn, { ...view, directory: server.service });
    return { profile, name: nameOf({ dn, entry, domain }), channels: channelsOf(entry, view) };
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/**
 * Returns whether a factor is presented before the link is used: a token, a device, a list, or a code by SMS where the link goes by mail.
 * `none`: each code of the user goes where the link goes, so that the holder of that mailbox or phone alone would log in.
 */
async function factorOf(found: FoundUser, visit: PageVisit): Promise<'wanted' | 'unwanted' | 'none'> {
  const { profile, channels } = found;
  if (factorCount(profile.data) > 0) return 'wanted';
  const inForce = await factorPolicy(profile, visit);
  const kinds = kindsOf(inForce);
  const left = withoutLink(sentBy(read(profile.settings, pwresetSettings.LinkMode)), channels);
  const sent = (['SMS', 'MAIL'] as const).filter(
    (kind) => kinds.includes(kind) && channels[kind] !== undefined,
  );
  if (sent.includes('SMS') && left.SMS !== undefined) return 'wanted';
  const wantsCode = !['LDAP', 'LDAPU2F'].includes(loginModeOf(inForce));
  return wantsCode && sent.length > 0 && sent.every((kind) => left[kind] === undefined) ? 'none' : 'unwanted';
}
