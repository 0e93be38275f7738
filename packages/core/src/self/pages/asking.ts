/** A stranger asks for a link: what becomes of it, nobody is told but the user whom it is for. */
import { readList } from '../../authenticators/list/list.ts';
import { readTokens } from '../../authenticators/token/token-data.ts';
import { type DataHolder, readHolder } from '../../directory/data/holder.ts';
import { lookUp, splitLogin } from '../../directory/entry/user.ts';
import { isReason, ServiceError } from '../../errors/errors.ts';
import { waitOut } from '../../limits/kept/answer-time.ts';
import { userKey } from '../../limits/kept/users-and-places.ts';
import { nameOf } from '../../login/account/account-name.ts';
import { read } from '../../table/setting.ts';
import { Dn } from '../../text/dn.ts';
import { addressHolder } from '../../text/network.ts';
import { sendLink } from '../link/send.ts';
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
  await sendLink(
    {
      ...{ dn: holder.dn, name, entering: { word: 'pwreset' }, needsFactor: hasFactor(holder) },
      spender: { client: `links:${holderOf}`, isAlone: true },
      asker: `${name.domain}\\${name.username}`,
    },
    { ...view, transaction },
  );
  return undefined;
}

/** As a login finds them; undefined: nobody that could log in. */
async function findUser(username: string, { view }: PageVisit) {
  const { domains, config, server } = view;
  const [named, rest] = splitLogin(username, domains);
  const domain = named ?? domains.preset;
  const login = { username: rest, domain, schema: config.schema, service: server.service };
  const entry = await lookUp(server.service, login, domain.loginAttributes);
  if (typeof entry === 'string') return undefined;
  const dn = Dn.parse(entry.dn);
  try {
    const holder = await readHolder(dn, { ...view, directory: server.service });
    return { holder, name: nameOf({ dn, entry, domain }) };
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Whoever reads somebody's mail does not have the other half: who has a token or a list shows it before. */
const hasFactor = ({ data }: DataHolder): boolean =>
  readTokens(data).length > 0 || readList(data) !== undefined;
