/**
 * Who wants to log in: the user's entry, the settings in force for this login, and what the user has to prove
 * itself with. Read by the service, once for each login.
 */
import { dataOf, type StoredData } from '../directory/data.ts';
import type { Entry } from '../directory/directory.ts';
import { Dn } from '../directory/dn.ts';
import type { Domain } from '../directory/domain.ts';
import { hasClass, idOf } from '../directory/entry.ts';
import { memberAttributes } from '../directory/group.ts';
import { overlay, type Settings, settingLayers } from '../directory/settings.ts';
import { decoyUser, isAdmitted, readUser } from '../directory/user.ts';
import { isReason } from '../errors.ts';
import type { View } from '../method.ts';
import { readMoment } from '../moment.ts';
import type { OpenMode } from '../policy/client-mode.ts';
import { read } from '../setting.ts';
import { otpSettings } from './settings.ts';
import type { Token } from './token.ts';
import { readTokens } from './token-data.ts';
import { originOf, type Visit } from './visit.ts';

export interface Account {
  readonly dn: Dn;
  /** The identifier of the entry, which no move changes. */
  readonly id: string;
  /** As it was read for this login. */
  readonly entry: Entry;
  readonly domain: Domain;
  /** In force for this login, in our words. */
  readonly settings: Settings;
  readonly data: StoredData;
  readonly tokens: readonly Token[];
  /** What the client's policy makes of the login mode. */
  readonly clientMode: OpenMode;
  /** Stands for where the login comes from; undefined: the caller does not tell its users apart. */
  readonly place: string | undefined;
}

/**
 * An account, or why there is none that may log in: for the log, never for the caller. Somebody who is not there
 * has a DN all the same, whose password is tried and whose failures are counted.
 */
export type Found =
  | { readonly account: Account; readonly dn: Dn }
  | (Absent & { readonly account?: undefined });

export interface Absent {
  readonly dn: Dn;
  readonly why: string;
  /** What would be in force for a user who has nothing of its own; left out: nobody logs in from there. */
  readonly preset?: Preset | undefined;
}

export type Preset = Pick<Account, 'settings' | 'clientMode'>;

/** @throws ServiceError `unavailable` */
export async function findAccount(visit: Visit, view: View): Promise<Found> {
  const { domain, name } = visit.named;
  const decoy = decoyUser((domain ?? visit.preset).base, name);
  const found = domain ? await admitUser(visit, domain, view) : { dn: decoy, why: 'there is no such domain' };
  return completed(found ?? { dn: decoy, why: 'there is no such user' }, visit, view);
}

async function admitUser(visit: Visit, domain: Domain, view: View): Promise<Found | undefined> {
  try {
    const entry = await readEntry(visit, domain, view);
    return entry && (await admit(entry, { visit, domain, view }));
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/** The user whose challenge it was, as it is now. @throws ServiceError `unavailable` */
export async function findAccountAgain(dn: Dn, visit: Visit, view: View): Promise<Found> {
  return completed(await admitAgain(dn, visit, view), visit, view);
}

async function admitAgain(dn: Dn, visit: Visit, view: View): Promise<Found> {
  const { domain } = visit.named;
  const entry = domain && (await view.directory.read(dn, await wantedAttributes(dn, view)));
  const roles = view.core.config.schema;
  if (entry && !(await isAdmitted(dn, { domain, roles, service: view.directory })))
    return { dn, why: 'the domain does not admit the user any more' };
  return entry ? admit(entry, { visit, domain, view }) : { dn, why: 'the user has gone' };
}

/** Somebody who is not there is counted, and challenged, as a user would be who has nothing of its own. */
async function completed(found: Found, visit: Visit, { core }: View): Promise<Found> {
  if (found.account) return found;
  const address = visit.source ?? visit.address;
  const clientMode = await visit.policy.mode([], address);
  if (clientMode === 'no_access') return found;
  const settings = overlay([core.presets, ...visit.policy.layers([], address), visit.settings]);
  return { ...found, preset: { settings, clientMode } };
}

async function readEntry(
  { named: { name }, options }: Visit,
  domain: Domain,
  { core, directory }: View,
): Promise<Entry | undefined> {
  const roles = core.config.schema;
  const attributes = await wantedAttributes(domain.base, { core, directory });
  const login = { domain, roles, service: directory };
  if (!options.has('LDAPDN')) return readUser(directory, { username: name, ...login }, attributes);
  const dn = Dn.tryParse(name);
  if (!dn?.isWithin(domain.base)) return undefined;
  const entry = await directory.read(dn, attributes);
  if (!entry || !hasClass(entry, roles.user_classes)) return undefined;
  return (await isAdmitted(dn, login)) ? entry : undefined;
}

/** All that a login looks at, in one read. @param dn the user, or where it stands */
async function wantedAttributes(dn: Dn, { core }: View): Promise<readonly string[]> {
  const { schema } = core.config;
  const { identifier, mark } = await core.directory.capabilities(dn);
  return [
    'objectClass',
    identifier,
    ...(mark === undefined ? [] : [mark]),
    schema.settings_attribute,
    schema.data_attribute,
    ...memberAttributes(schema),
  ];
}

async function admit(
  entry: Entry,
  { visit, domain, view }: { visit: Visit; domain: Domain; view: View },
): Promise<Found> {
  const { core } = view;
  const dn = Dn.parse(entry.dn);
  const { accountSchema, identifier } = await core.directory.capabilities(dn);
  if (accountSchema && !hasClass(entry, [core.config.schema.account_class]))
    return { dn, why: 'the user is not activated' };
  const { groups, layers } = await settingLayers(entry, dn, core);
  if (!visit.policy.admits(groups))
    return { dn, why: `the client ${visit.policy.name} does not admit the user` };
  const address = visit.source ?? visit.address;
  const ofClient = visit.policy.layers(groups, address);
  const settings = overlay([core.presets, ...layers, ...ofClient, visit.settings]);
  const clientMode = await visit.policy.mode(groups, address);
  if (clientMode === 'no_access') return { dn, why: `the client ${visit.policy.name} is closed` };
  const why = closed(settings, core.clock.now());
  if (why) return { dn, why };
  const where = { dn, identifier, core };
  const data = dataOf(entry, where);
  const account = {
    dn,
    id: idOf(entry, where),
    entry,
    domain,
    settings,
    data,
    tokens: readTokens(data),
    clientMode,
    place: originOf(visit),
  };
  return { account, dn };
}

/** Why nobody logs in under these settings at this moment. */
function closed(settings: Settings, now: number): string | undefined {
  if (read(settings, otpSettings.EnableLogin) !== 'Yes') return 'the login is switched off for the user';
  const from = readMoment(read(settings, otpSettings.ValidFrom));
  if (from !== undefined && !(now >= from)) return 'the user may not log in yet';
  const to = readMoment(read(settings, otpSettings.ValidTo));
  if (to !== undefined && !(now < to)) return 'the user may not log in any more';
  return undefined;
}
