/**
 * Who wants to log in: the user's entry, the settings in force for this login, and what the user has to prove
 * itself with. Read by the service, once for each login.
 */

import type { CodeHolder } from '../../authenticators/code/authenticator.ts';
import { readTokens } from '../../authenticators/token/token-data.ts';
import { dataOf } from '../../directory/data/data.ts';
import { overlay, type Settings } from '../../directory/data/layers.ts';
import { loginLayers, type SettingLayers } from '../../directory/data/settings.ts';
import type { Entry } from '../../directory/directory.ts';
import type { Domain } from '../../directory/domain.ts';
import { hasClass, idOf } from '../../directory/entry/entry.ts';
import { memberAttributes } from '../../directory/entry/group.ts';
import { decoyUser, isAdmitted, readUser } from '../../directory/entry/user.ts';
import { isReason } from '../../errors/errors.ts';
import type { RefusalRules } from '../../limits/refusal.ts';
import type { OpenMode } from '../../policy/client-mode.ts';
import { settle } from '../../policy/request-settings.ts';
import { read } from '../../table/setting.ts';
import { Dn } from '../../text/dn.ts';
import type { Visit } from '../attempt/login-visit.ts';
import { loginSettings } from '../settings.ts';
import type { FindingView } from '../view.ts';

export interface Account extends CodeHolder {
  /** As it was read for this login. */
  readonly entry: Entry;
  readonly domain: Domain;
  /** A caller who may only ask for more has done so: no option leaves that out again. */
  readonly isRaised: boolean;
  /** Settings of the request that had no effect, for the log. */
  readonly ignored: readonly string[];
  /** What the client's policy makes of the login mode. */
  readonly clientMode: OpenMode;
  /** Those of administrators: of neither the client's policy nor the request. */
  readonly rules: RefusalRules;
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
  /** There is no such user, and `dn` is nobody's. */
  readonly isNobody?: boolean;
  readonly why: string;
  readonly rules: RefusalRules;
  /** What would be in force for a user who has nothing of its own; left out: nobody logs in from there. */
  readonly preset?: Preset | undefined;
}

export type Preset = Pick<Account, 'settings' | 'clientMode' | 'isRaised' | 'ignored'>;

/** Before it is known what would be in force. */
type Missing = Omit<Absent, 'rules' | 'preset'> &
  Partial<Pick<Absent, 'rules'>> & { readonly account?: undefined };

type FoundOrMissing = Exclude<Found, Absent> | Missing;

/** @param settings without those of a client policy or a request, which change neither of the two */
export const refusalRules = (settings: Settings): RefusalRules => ({
  maxTries: read(settings, loginSettings.MaxTries),
  blockTime: read(settings, loginSettings.BlockTime),
});

/** @throws ServiceError `unavailable` */
export async function findAccount(visit: Visit, view: FindingView): Promise<Found> {
  const { domain, name } = visit.named;
  const decoy = { dn: decoyUser((domain ?? visit.preset).base, name), isNobody: true };
  const found = domain ? await admitUser(visit, domain, view) : { ...decoy, why: 'there is no such domain' };
  return completed(found ?? { ...decoy, why: 'there is no such user' }, visit, view);
}

async function admitUser(
  visit: Visit,
  domain: Domain,
  view: FindingView,
): Promise<FoundOrMissing | undefined> {
  try {
    const entry = await readEntry(visit, domain, view);
    return entry && (await admit(entry, { visit, domain, view }));
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/** The user whose challenge it was, as it is now. @throws ServiceError `unavailable` */
export async function findAccountAgain(dn: Dn, visit: Visit, view: FindingView): Promise<Found> {
  return completed(await admitAgain(dn, visit, view), visit, view);
}

async function admitAgain(dn: Dn, visit: Visit, view: FindingView): Promise<FoundOrMissing> {
  const { domain } = visit.named;
  const entry = domain && (await view.directory.read(dn, await wantedAttributes(dn, domain, view)));
  const schema = view.config.schema;
  if (entry && !(await isAdmitted(dn, { domain, schema, service: view.directory })))
    return { dn, why: 'the domain does not admit the user any more' };
  return entry ? admit(entry, { visit, domain, view }) : { dn, why: 'the user has gone', isNobody: true };
}

/** Somebody who is not there is counted, and challenged, as a user would be who has nothing of its own. */
async function completed(missing: FoundOrMissing, visit: Visit, view: FindingView): Promise<Found> {
  if (missing.account) return missing;
  const found = { rules: refusalRules(view.presets), ...missing };
  const preset = await inForce(visit, { groups: [], below: view.presets }, view);
  return preset ? { ...found, preset } : found;
}

/**
 * What is in force for a visit by its policy and its request; undefined: nobody logs in from there.
 * @param below presets, groups and the user's own
 */
async function inForce(
  visit: Visit,
  { groups, below }: Pick<SettingLayers, 'groups'> & { readonly below: Settings },
  core: Pick<FindingView, 'names' | 'applications'>,
): Promise<Preset | undefined> {
  const under = await visit.policy.apply(below, { groups, ...visit.whereabouts });
  const { mode: clientMode, ...settled } = settle(visit.settings, under, core);
  return clientMode === 'no_access' ? undefined : { ...settled, clientMode };
}

async function readEntry(
  { named: { name }, options }: Visit,
  domain: Domain,
  view: FindingView,
): Promise<Entry | undefined> {
  const schema = view.config.schema;
  const attributes = await wantedAttributes(domain.base, domain, view);
  const login = { domain, schema, service: view.directory };
  if (!options.has('LDAPDN')) return readUser(view.directory, { username: name, ...login }, attributes);
  const dn = Dn.tryParse(name);
  if (!dn?.isWithin(domain.base)) return undefined;
  const entry = await view.directory.read(dn, attributes);
  if (!entry || !hasClass(entry, schema.user_classes)) return undefined;
  return (await isAdmitted(dn, login)) ? entry : undefined;
}

/** All that a login looks at, in one read. @param dn the user, or where it stands */
async function wantedAttributes(dn: Dn, domain: Domain, view: FindingView): Promise<readonly string[]> {
  const { schema } = view.config;
  const { identifier, mark } = await view.server.capabilities(dn);
  return [
    'objectClass',
    identifier,
    ...(mark === undefined ? [] : [mark]),
    schema.settings_attribute,
    schema.data_attribute,
    ...memberAttributes(schema),
    ...domain.loginAttributes,
  ];
}

async function admit(
  entry: Entry,
  { visit, domain, view }: { visit: Visit; domain: Domain; view: FindingView },
): Promise<FoundOrMissing> {
  const dn = Dn.parse(entry.dn);
  const { accountSchema, identifier } = await view.server.capabilities(dn);
  if (accountSchema && !hasClass(entry, [view.config.schema.account_class]))
    return { dn, why: 'the user is not activated' };
  const { groups, layers } = await loginLayers(entry, { dn, needsGroups: visit.policy.needsGroups }, view);
  const below = overlay([view.presets, ...layers]);
  const rules = refusalRules(below);
  if (!visit.policy.admits(groups))
    return { dn, rules, why: `the client ${visit.policy.name} does not admit the user` };
  const preset = await inForce(visit, { groups, below }, view);
  if (!preset) return { dn, rules, why: `the client ${visit.policy.name} is closed` };
  const why = closed(preset.settings, view.clock.now());
  if (why) return { dn, rules, why };
  const where = { dn, identifier, view };
  const data = dataOf(entry, where);
  const account = {
    dn,
    id: idOf(entry, where),
    entry,
    domain,
    ...preset,
    rules,
    data,
    tokens: readTokens(data),
    place: visit.origin,
  };
  return { account, dn };
}

/** Why nobody logs in under these settings at this moment. */
function closed(settings: Settings, now: number): string | undefined {
  if (!read(settings, loginSettings.EnableLogin)) return 'the login is switched off for the user';
  const from = read(settings, loginSettings.ValidFrom);
  if (from !== undefined && !(now >= from)) return 'the user may not log in yet';
  const to = read(settings, loginSettings.ValidTo);
  if (to !== undefined && !(now < to)) return 'the user may not log in any more';
  return undefined;
}
