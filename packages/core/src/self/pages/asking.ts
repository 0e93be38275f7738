/** A stranger asks for a link: what becomes of it, nobody is told but the user whom it is for. */
import type { CodeAddresses } from '../../authenticators/code/authenticator.ts';
import { kindsOf } from '../../authenticators/code/codes.ts';
import { type DataHolder, readHolder } from '../../directory/data/holder.ts';
import { lookUp, splitLogin } from '../../directory/entry/user.ts';
import { isReason, ServiceError } from '../../errors/errors.ts';
import { waitOut } from '../../limits/kept/answer-time.ts';
import { userKey } from '../../limits/kept/users-and-places.ts';
import { nameOf } from '../../login/account/account-name.ts';
import { reachAttributes, reachOf } from '../../login/account/reach.ts';
import type { AccountName } from '../../login/login-request.ts';
import { read } from '../../table/setting.ts';
import { Dn } from '../../text/dn.ts';
import { addressHolder } from '../../text/network.ts';
import { factorCount } from '../desk/rights.ts';
import { sendLink, sentBy } from '../link/send.ts';
import { pwresetSettings } from '../settings.ts';
import type { PageVisit } from './visit.ts';

/** From one address, or one /64 of IPv6, in ten minutes. */
const mostLinks = { by: 1, limit: 10, seconds: 600 };
/** In characters. */
const longestName = 255;

/** Takes as long whatever comes of it (concepts.md §7, rule 1). @throws ServiceError `unavailable` */
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
  const holderOf = addressHolder(address);
  if ((await view.momentary.count(`links-asked:${holderOf}`, mostLinks)) === undefined)
    return 'too many were asked for from there';
  const found = await findUser(username, visit);
  if (!found) return 'there is no such user, or it is not active';
  const { holder, name } = found;
  const { block } = await view.limits.look(userKey(holder.dn), 'web');
  if (block) return 'an administrator has blocked the user';
  if (read(holder.settings, pwresetSettings.LinkMode) === 'NONE') return 'links are sent to nobody';
  const { reset_links_for_administrators: isForAll } = view.config;
  if (!isForAll && (await view.roles.mandate(holder.dn)))
    return 'the user is an administrator, and reset_links_for_administrators is not set';
  await sendLink(
    {
      ...{ dn: holder.dn, name, entering: { word: 'pwreset' }, needsFactor: await hasFactor(found, visit) },
      spender: { client: `links:${holderOf}`, isAlone: true },
      asker: `${name.domain}\\${name.username}`,
    },
    { ...view, transaction },
  );
  return undefined;
}

interface FoundUser {
  readonly holder: DataHolder;
  readonly name: AccountName;
  /** Where codes can be sent to. */
  readonly reach: CodeAddresses;
}

/** As a login finds them; undefined: nobody that could log in. */
async function findUser(username: string, { view }: PageVisit): Promise<FoundUser | undefined> {
  const { domains, config, server } = view;
  const [named, rest] = splitLogin(username, domains);
  const domain = named ?? domains.preset;
  const login = { username: rest, domain, schema: config.schema, service: server.service };
  const attributes = [...domain.loginAttributes, ...reachAttributes(view)];
  const entry = await lookUp(server.service, login, attributes);
  if (typeof entry === 'string') return undefined;
  const dn = Dn.parse(entry.dn);
  try {
    const holder = await readHolder(dn, { ...view, directory: server.service });
    return { holder, name: nameOf({ dn, entry, domain }), reach: reachOf(entry, view) };
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Returns whether the user has a factor that a reader of the mails lacks: a token, a device, a list, or a phone for codes. */
async function hasFactor({ holder, reach }: FoundUser, visit: PageVisit): Promise<boolean> {
  if (factorCount(holder.data) > 0) return true;
  const goesBy = sentBy(read(holder.settings, pwresetSettings.LinkMode));
  return goesBy !== 'SMS' && reach.SMS !== undefined && (await areSentBySms(holder, visit));
}

/** Returns whether codes are sent by SMS under the policy that factor.ts judges them with. */
async function areSentBySms(
  { settings: below, groups }: DataHolder,
  { view, address }: PageVisit,
): Promise<boolean> {
  const policy = view.clients.find({ address, client: 'PwReset' }, undefined);
  const { settings } = await policy.apply(below, { groups, address, isElsewhere: false });
  return kindsOf({ settings }).includes('SMS');
}
