/**
 * Who wants to log in: the user's entry, the settings in force for this login, and what the user has to prove
 * itself with. Read by the service, once for each login.
 */

import type { CodeUser } from '../../authenticators/code/authenticator.ts';
import { distinctAuthenticators } from '../../authenticators/code/codes.ts';
import { readTokens } from '../../authenticators/token/token-data.ts';
import { type Soon, soon } from '../../concurrency/soon.ts';
import { dataOf } from '../../directory/data/data.ts';
import { overlay, type Settings } from '../../directory/data/layers.ts';
import { loginLayers, type SettingLayers } from '../../directory/data/settings.ts';
import type { Capabilities, Entry } from '../../directory/directory.ts';
import type { Domain } from '../../directory/domain.ts';
import { hasClass, idOf } from '../../directory/entry/entry.ts';
import { memberAttributes } from '../../directory/entry/group.ts';
import { decoyUser, isAdmitted, type Login, lookUp } from '../../directory/entry/user.ts';
import { isReason } from '../../errors/errors.ts';
import type { RefusalRules } from '../../limits/refusal.ts';
import type { OpenMode } from '../../policy/client-mode.ts';
import { settle } from '../../policy/strictness.ts';
import { Dn } from '../../text/dn.ts';
import type { Visit } from '../attempt/login-visit.ts';
import type { FindingView } from '../view.ts';
import { whyClosed } from './gate.ts';
import { lastLoginKey } from './last-login.ts';
import { reachAttributes, reachOf } from './reach.ts';
import { refusalRules } from './refusal-rules.ts';

export interface Account extends CodeUser {
  /** Where it is kept when the user has logged in, see {@link lastLoginKey}. */
  readonly lastLoginKey: string;
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

/** @throws ServiceError `unavailable` */
export async function findAccount(visit: Visit, view: FindingView): Promise<Found> {
  const { domain, name } = visit.named;
  const decoy = { dn: decoyUser((domain ?? visit.preset).base, name), isNobody: true };
  if (!domain) return completed({ ...decoy, why: 'there is no such domain' }, visit, view);
  try {
    const entry = await readEntry(visit, domain, view);
    const admitted = typeof entry === 'string' ? undefined : admit(entry, { visit, domain, view });
    const found = admitted instanceof Promise ? await admitted : admitted;
    if (found) return completed(found, visit, view);
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
  }
  return completed({ ...decoy, why: 'there is no such user' }, visit, view);
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
function completed(missing: FoundOrMissing, visit: Visit, view: FindingView): Soon<Found> {
  if (missing.account) return missing;
  const found = { rules: refusalRules(view.presets), ...missing };
  return soon(inForce(visit, { groups: [], below: view.presets }, view), (preset) =>
    preset ? { ...found, preset } : found,
  );
}

/**
 * What is in force for a visit by its policy and its request; undefined: nobody logs in from there.
 * @param below presets, groups and the user's own
 */
function inForce(
  visit: Visit,
  { groups, below }: Pick<SettingLayers, 'groups'> & { readonly below: Settings },
  core: Pick<FindingView, 'names' | 'applications'>,
): Soon<Preset | undefined> {
  return soon(visit.policy.apply(below, { groups, ...visit.whereabouts }), (under) => {
    const { mode: clientMode, settings, isRaised, ignored } = settle(visit.settings, under, core);
    return clientMode === 'no_access' ? undefined : { settings, isRaised, ignored, clientMode };
  });
}

function readEntry(visit: Visit, domain: Domain, view: FindingView): Promise<Entry | 'none' | 'several'> {
  return soon(wantedAttributes(domain.base, domain, view), (attributes) => {
    const { schema } = view.config;
    const login = { domain, schema, service: view.directory };
    const { name: username } = visit.named;
    return visit.options.has('LDAPDN')
      ? readByDn(username, attributes, login)
      : lookUp(view.directory, { username, ...login }, attributes);
  });
}

async function readByDn(
  name: string,
  attributes: readonly string[],
  login: Omit<Login, 'username'>,
): Promise<Entry | 'none'> {
  const dn = Dn.tryParse(name);
  if (!dn?.isWithin(login.domain.base)) return 'none';
  const entry = await login.service.read(dn, attributes);
  if (!entry || !hasClass(entry, login.schema.user_classes)) return 'none';
  return (await isAdmitted(dn, login)) ? entry : 'none';
}

/** All that a login looks at, in one read. @param dn the user, or where it stands */
const wantedAttributes = (dn: Dn, domain: Domain, view: FindingView): Soon<readonly string[]> =>
  soon(view.server.capabilities(dn), (capabilities) => {
    const known = wanted.get(domain);
    if (known?.capabilities === capabilities) return known.attributes;
    const attributes = Object.freeze(attributesOf(capabilities, domain, view));
    wanted.set(domain, { capabilities, attributes });
    return attributes;
  });

/** The rest of what they hang on is configured with the domain. */
const wanted = new WeakMap<
  Domain,
  { readonly capabilities: Capabilities; readonly attributes: readonly string[] }
>();

function attributesOf(
  { identifier, mark }: Pick<Capabilities, 'identifier' | 'mark'>,
  domain: Domain,
  view: FindingView,
): readonly string[] {
  const { schema } = view.config;
  return [
    'objectClass',
    identifier,
    ...(mark === undefined ? [] : [mark]),
    schema.settings_attribute,
    schema.data_attribute,
    ...memberAttributes(schema),
    ...reachAttributes(view),
    ...domain.loginAttributes,
  ];
}

interface Admitting {
  readonly visit: Visit;
  readonly domain: Domain;
  readonly view: FindingView;
}

function admit(entry: Entry, { visit, domain, view }: Admitting): Soon<FoundOrMissing> {
  const dn = Dn.parse(entry.dn);
  return soon(view.server.capabilities(dn), ({ accountSchema, identifier }) => {
    if (accountSchema && !hasClass(entry, [view.config.schema.account_class]))
      return { dn, why: 'the user is not activated' };
    const { needsGroups } = visit.policy;
    return soon(loginLayers(entry, { dn, needsGroups }, view), (layers) =>
      admitUnder(layers, { visit, domain, view, entry, dn, identifier }),
    );
  });
}

interface ActiveUser extends Admitting {
  readonly entry: Entry;
  readonly dn: Dn;
  readonly identifier: string;
}

function admitUnder({ groups, layers }: SettingLayers, user: ActiveUser): Soon<FoundOrMissing> {
  const { visit, view, dn } = user;
  const { policy } = visit;
  const below = overlay([view.presets, ...layers]);
  const rules = refusalRules(below);
  if (!policy.admits(groups)) return { dn, rules, why: `the client ${policy.name} does not admit the user` };
  return soon(inForce(visit, { groups, below }, view), (preset) => {
    if (!preset) return { dn, rules, why: `the client ${policy.name} is closed` };
    const why = whyClosed(preset.settings, visit.gate, view.clock.now());
    return why ? { dn, rules, why } : { dn, account: accountOf(user, preset, rules) };
  });
}

/** Each field by itself: every login makes one, and V8 makes what is spread a hundred times as slowly. */
function accountOf(
  { entry, dn, identifier, domain, visit, view }: ActiveUser,
  { settings, clientMode, isRaised, ignored }: Preset,
  rules: RefusalRules,
): Account {
  const where = { dn, identifier, view };
  const id = idOf(entry, where);
  const data = dataOf(entry, where);
  const [tokens, reach, place] = [readTokens(data), reachOf(entry, view), visit.origin];
  const holder = { dn, id, settings, data, tokens, reach, place };
  const authenticators = distinctAuthenticators(holder, view);
  return {
    dn,
    id,
    lastLoginKey: lastLoginKey(id),
    settings,
    data,
    tokens,
    reach,
    place,
    authenticators,
    entry,
    domain,
    clientMode,
    isRaised,
    ignored,
    rules,
  };
}
