/**
 * Who wants to log in: the user's entry, the settings in force for this login, and what the user has to prove
 * itself with. Read by the service, once for each login.
 */

import { readTokens } from '../../authenticators/token-data.ts';
import { distinctAuthenticators } from '../../authenticators/user-authenticators.ts';
import { storedIn } from '../../directory/data/data.ts';
import { overlay } from '../../directory/data/layers.ts';
import { loginLayers, type SettingLayers } from '../../directory/data/settings.ts';
import type { Domain } from '../../directory/domain.ts';
import { hasClass, idOf, isUser, kindAttributes, texts } from '../../directory/entry/entry.ts';
import { memberAttributes } from '../../directory/entry/group.ts';
import { decoyUser, isMemberAdmitted, type Login, lookUp } from '../../directory/entry/user.ts';
import { isReason } from '../../foundation/errors/errors.ts';
import { type Soon, soonWith } from '../../foundation/runtime/soon.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { RefusalRules } from '../../limits/refusal.ts';
import type { Capabilities, Entry } from '../../ports/directory/directory.ts';
import type { Visit } from '../attempt/login-visit.ts';
import type { FindingView } from '../view.ts';
import type { Absent, Account, Found, FoundOrMissing, Preset } from './found.ts';
import { whyClosed } from './gate.ts';
import { inForce } from './in-force.ts';
import { lastLoginKey } from './last-login.ts';
import { besides, reachAttributes, reachOf } from './reach.ts';
import { refusalRules } from './refusal-rules.ts';

export type { Absent, Account, Found, Preset } from './found.ts';

/** @throws ServiceError `unavailable` */
export async function findAccount(visit: Visit, view: FindingView): Promise<Found> {
  const { domain, name, short = name } = visit.named;
  // Made for everybody: the time tells nothing of who is there.
  const dn = decoyUser((domain ?? visit.preset).base, short);
  if (!domain) return completed({ dn, isNobody: true, why: 'there is no such domain' }, visit, view);
  try {
    const entry = await readEntry(visit, domain, view);
    const admitted = typeof entry === 'string' ? undefined : admit(entry, { visit, domain, view });
    const found = admitted instanceof Promise ? await admitted : admitted;
    if (found) return completed(found, visit, view);
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
  }
  return completed({ dn, isNobody: true, why: 'there is no such user' }, visit, view);
}

/** The user whose challenge it was, as it is now. @throws ServiceError `unavailable` */
export async function findAccountAgain(dn: Dn, visit: Visit, view: FindingView): Promise<Found> {
  return completed(await admitAgain(dn, visit, view), visit, view);
}

async function admitAgain(dn: Dn, visit: Visit, view: FindingView): Promise<FoundOrMissing> {
  const { domain } = visit.named;
  const entry = domain && (await view.directory.read(dn, await wantedAttributes(dn, domain, view)));
  const { memberships } = view;
  if (entry && !(await isMemberAdmitted(entry, { domain, memberships })))
    return { dn, why: 'the domain does not admit the user any more' };
  return entry ? admit(entry, { visit, domain, view }) : { dn, why: 'the user has gone', isNobody: true };
}

/** Somebody who is not there is counted, and challenged, as a user would be who has nothing of its own. */
function completed(missing: FoundOrMissing, visit: Visit, view: FindingView): Soon<Found> {
  if (missing.account) return missing;
  const found = { rules: refusalRules(view.presets), ...missing };
  return soonWith(inForce(visit, { groups: [], below: view.presets }, view), withPreset, found);
}

const withPreset = (preset: Preset | undefined, found: Omit<Absent, 'preset'>): Found =>
  preset ? { ...found, preset } : found;

function readEntry(visit: Visit, domain: Domain, view: FindingView): Promise<Entry | 'none' | 'several'> {
  const attributes = wantedAttributes(domain.base, domain, view);
  const where = { visit, domain, view };
  return attributes instanceof Promise
    ? attributes.then((known) => readNamed(known, where))
    : readNamed(attributes, where);
}

function readNamed(
  attributes: readonly string[],
  { visit, domain, view }: Admitting,
): Promise<Entry | 'none' | 'several'> {
  const { schema } = view.config;
  const { directory, memberships } = view;
  const { name } = visit.named;
  return visit.options.has('LDAPDN')
    ? readByDn(name, attributes, { domain, schema, memberships, directory })
    : lookUp(
        directory,
        { ...loginOf(visit.named), domain, schema, memberships, isService: true },
        attributes,
      );
}

const loginOf = ({ name, short }: Visit['named']) =>
  short === undefined ? { username: name } : { username: short, whole: name };

async function readByDn(
  name: string,
  attributes: readonly string[],
  login: Omit<Login, 'username'> & Pick<FindingView, 'directory'>,
): Promise<Entry | 'none'> {
  const dn = Dn.tryParse(name);
  if (!dn?.isWithin(login.domain.base)) return 'none';
  const entry = await login.directory.read(dn, attributes);
  if (!entry || !isUser(entry, login.schema)) return 'none';
  return (await isMemberAdmitted(entry, login)) ? entry : 'none';
}

/** All that a login looks at, in one read. @param dn the user, or where it stands */
const wantedAttributes = (dn: Dn, domain: Domain, view: FindingView): Soon<readonly string[]> =>
  soonWith(view.server.capabilities(dn), attributesUnder, { domain, view });

function attributesUnder(
  capabilities: Capabilities,
  { domain, view }: Pick<Admitting, 'domain' | 'view'>,
): readonly string[] {
  const known = wanted.get(domain);
  if (known?.capabilities === capabilities) return known.attributes;
  const attributes = Object.freeze(attributesOf(capabilities, domain, view));
  wanted.set(domain, { capabilities, attributes });
  return attributes;
}

/** The rest of what they hang on is configured with the domain. */
const wanted = new WeakMap<
  Domain,
  { readonly capabilities: Capabilities; readonly attributes: readonly string[] }
>();

function attributesOf(
  { identifier, mark, vendor }: Capabilities,
  domain: Domain,
  view: FindingView,
): readonly string[] {
  const { schema } = view.config;
  return [
    ...(vendor === 'active-directory' ? kindAttributes : ['objectClass']),
    identifier,
    ...(mark === undefined ? [] : [mark]),
    schema.settings_attribute,
    schema.data_attribute,
    // With `gidNumber`, which tells groups: SSH judges both.
    'uidNumber',
    ...memberAttributes(schema, vendor),
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
  return soonWith(view.server.capabilities(dn), admitActive, { visit, domain, view, entry, dn });
}

/** An entry of the domain, which has one of its login names. */
interface Candidate extends Admitting {
  readonly entry: Entry;
  readonly dn: Dn;
}

function admitActive(
  { accountSchema, identifier }: Capabilities,
  { visit, domain, view, entry, dn }: Candidate,
): Soon<FoundOrMissing> {
  if (accountSchema && !hasClass(entry, [view.config.schema.account_class]))
    return { dn, why: 'the user is not activated' };
  const layers = loginLayers(entry, { dn, needsGroups: visit.policy.needsGroups }, view);
  return soonWith(layers, admitUnder, { visit, domain, view, entry, dn, identifier });
}

interface ActiveUser extends Candidate {
  readonly identifier: string;
}

function admitUnder({ groups, layers }: SettingLayers, user: ActiveUser): Soon<FoundOrMissing> {
  const { visit, view, dn } = user;
  const { policy } = visit;
  const below = layers.length === 0 ? view.presets : overlay([view.presets, ...layers]);
  const rules = refusalRules(below);
  if (!policy.admits(groups)) return { dn, rules, why: `the client ${policy.name} does not admit the user` };
  return soonWith(inForce(visit, { groups, below }, view), admitOpen, { user, rules });
}

function admitOpen(
  preset: Preset | undefined,
  { user, rules }: { readonly user: ActiveUser; readonly rules: RefusalRules },
): FoundOrMissing {
  const { visit, view, dn } = user;
  if (!preset) return { dn, rules, why: `the client ${visit.policy.name} is closed` };
  const why = whyClosed(preset.settings, visit.gate, view.clock);
  return why ? { dn, rules, why } : { dn, account: accountOf(user, preset, rules) };
}

/** Each field by itself: every login makes one, and V8 makes what is spread a hundred times as slowly. */
function accountOf(
  { entry, dn, identifier, domain, visit, view }: ActiveUser,
  { settings, clientMode, isRaised, ignored }: Preset,
  rules: RefusalRules,
): Account {
  const id = idOf(entry, { dn, identifier });
  const data = storedIn(texts(entry, view.config.schema.data_attribute), { view, entry: id, dn });
  const tokens = readTokens(data);
  const channels = besides(visit.request.demand?.link?.sentBy, reachOf(entry, view));
  const source = visit.origin;
  const holder = { dn, id, settings, data, tokens, channels, source };
  const authenticators = distinctAuthenticators(holder, view);
  return {
    dn,
    id,
    lastLoginKey: lastLoginKey(id),
    settings,
    data,
    tokens,
    channels,
    source,
    authenticators,
    entry,
    domain,
    clientMode,
    isRaised,
    ignored,
    rules,
  };
}
