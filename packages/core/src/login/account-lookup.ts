/** Finds the user of a login: the entry, the settings in force and the authenticators. */

import { lockoutRules } from '../administration/policy/lockout-rules.ts';
import { readTokens } from '../authenticators/token-data.ts';
import { distinctAuthenticators } from '../authenticators/user-authenticators.ts';
import { storedIn } from '../directory/data/data.ts';
import { overlay } from '../directory/data/layers.ts';
import { loginLayers } from '../directory/data/settings.ts';
import type { Domain } from '../directory/domain.ts';
import { hasClass, idOf, isUser, kindAttributes, texts } from '../directory/entry/entry.ts';
import { memberAttributes } from '../directory/entry/group.ts';
import { decoyUser, isMemberAdmitted, lookUp } from '../directory/entry/user.ts';
import { isReason } from '../foundation/errors/errors.ts';
import { Dn } from '../foundation/text/dn.ts';
import type { LockoutRules } from '../limits/lockout.ts';
import { channelAttributes, channelsOf, withoutLink } from '../messaging/contact-channels.ts';
import type { Capabilities, Entry } from '../ports/directory/directory.ts';
import {
  type Absent,
  type Account,
  type EffectiveSettings,
  effectiveSettings,
  type Found,
  lastLoginKey,
  whyClosed,
} from './account.ts';
import type { LoginContext } from './context.ts';
import type { FindingView } from './view.ts';

/** Finds the user whom a request names. @throws ServiceError `unavailable` */
export async function findAccount(loginContext: LoginContext, view: FindingView): Promise<Found> {
  const { domain, name, short = name } = loginContext.named;
  // Made for every name: the time does not tell which users exist.
  const dn = decoyUser((domain ?? loginContext.preset).base, short);
  if (!domain)
    return absent({ dn, isUnknownUser: true, reason: 'there is no such domain' }, loginContext, view);
  try {
    const attributes = attributesIn(domain, await view.server.capabilities(domain.base), view);
    const entry = loginContext.options.has('LDAPDN')
      ? await readByDn(name, attributes, { loginContext, domain, view })
      : await searchByName(attributes, { loginContext, domain, view });
    if (entry) return await admit(entry, { loginContext, domain, view });
  } catch (error) {
    if (!isReason(error, 'not_found')) throw error;
  }
  return absent({ dn, isUnknownUser: true, reason: 'there is no such user' }, loginContext, view);
}

/** Finds a user again who was found before: of a challenge, or of a session. @throws ServiceError `unavailable` */
export async function findAccountAgain(
  dn: Dn,
  loginContext: LoginContext,
  view: FindingView,
): Promise<Found> {
  const { domain } = loginContext.named;
  const { directory, memberships } = view;
  const entry =
    domain && (await directory.read(dn, attributesIn(domain, await view.server.capabilities(dn), view)));
  if (!entry) return absent({ dn, isUnknownUser: true, reason: 'the user was deleted' }, loginContext, view);
  if (!(await isMemberAdmitted(entry, { domain, memberships })))
    return absent({ dn, reason: 'the domain does not admit the user any more' }, loginContext, view);
  return admit(entry, { loginContext, domain, view });
}

interface Finding {
  readonly loginContext: LoginContext;
  readonly domain: Domain;
  readonly view: FindingView;
}

async function searchByName(
  attributes: readonly string[],
  { loginContext, domain, view }: Finding,
): Promise<Entry | undefined> {
  const { name, short } = loginContext.named;
  const names = short === undefined ? { username: name } : { username: short, whole: name };
  const { directory, memberships, config } = view;
  const login = { ...names, domain, schema: config.schema, memberships, isService: true };
  const found = await lookUp(directory, login, attributes);
  return typeof found === 'string' ? undefined : found;
}

async function readByDn(
  name: string,
  attributes: readonly string[],
  { domain, view: { directory, memberships, config } }: Finding,
): Promise<Entry | undefined> {
  const dn = Dn.tryParse(name);
  if (!dn?.isWithin(domain.base)) return undefined;
  const entry = await directory.read(dn, attributes);
  if (!entry || !isUser(entry, config.schema)) return undefined;
  return (await isMemberAdmitted(entry, { domain, memberships })) ? entry : undefined;
}

/** Judges whether the user of an entry may log in, by the settings in force. */
async function admit(entry: Entry, { loginContext, domain, view }: Finding): Promise<Found> {
  const dn = Dn.parse(entry.dn);
  const { policy, whereabouts } = loginContext;
  const capabilities = await view.server.capabilities(dn);
  if (capabilities.accountSchema && !hasClass(entry, [view.config.schema.account_class]))
    return absent({ dn, reason: 'the user is not activated' }, loginContext, view);
  const { needsGroups } = policy;
  const { groups, layers } = await loginLayers(entry, { dn, capabilities, needsGroups }, view);
  const below = layers.length === 0 ? view.presets : overlay([view.presets, ...layers]);
  const rules = lockoutRules(below);
  if (!policy.admits(groups))
    return absent(
      { dn, rules, reason: `the client ${policy.name} does not admit the user` },
      loginContext,
      view,
    );
  const under = await policy.apply(below, { groups, ...whereabouts });
  const inForce = effectiveSettings(under, loginContext, view);
  if (!inForce)
    return absent({ dn, rules, reason: `the client ${policy.name} is closed` }, loginContext, view);
  const why = whyClosed(inForce.settings, loginContext.gate, view.clock);
  if (why !== undefined) return absent({ dn, rules, reason: why }, loginContext, view);
  return {
    dn,
    account: accountOf({ entry, dn, capabilities, rules }, inForce, { loginContext, domain, view }),
  };
}

/** Adds the settings in force for a user without settings of their own, by which an absent user is counted and challenged. */
async function absent(
  missing: Omit<Absent, 'rules' | 'defaults'> & Partial<Pick<Absent, 'rules'>>,
  loginContext: LoginContext,
  view: FindingView,
): Promise<Found> {
  const under = await loginContext.policy.apply(view.presets, { groups: [], ...loginContext.whereabouts });
  const defaults = effectiveSettings(under, loginContext, view);
  return { rules: lockoutRules(view.presets), ...missing, ...(defaults && { defaults }) };
}

/** Returns the attributes that a login reads, all in one read. @param capabilities of the directory of the user */
function attributesIn(domain: Domain, capabilities: Capabilities, view: FindingView): readonly string[] {
  const known = attributesOf.get(domain);
  if (known?.capabilities === capabilities) return known.attributes;
  const { identifier, mustChangeAttribute, vendor } = capabilities;
  const { schema } = view.config;
  const attributes = Object.freeze([
    ...(vendor === 'active-directory' ? kindAttributes : ['objectClass']),
    identifier,
    ...(mustChangeAttribute === undefined ? [] : [mustChangeAttribute]),
    schema.settings_attribute,
    schema.data_attribute,
    // With `gidNumber`, which tells groups: SSH judges both.
    'uidNumber',
    ...memberAttributes(schema, vendor),
    ...channelAttributes(view),
    ...domain.loginAttributes,
  ]);
  attributesOf.set(domain, { capabilities, attributes });
  return attributes;
}

/** Attributes by domain: all but the capabilities is configured with it. */
const attributesOf = new WeakMap<
  Domain,
  { readonly capabilities: Capabilities; readonly attributes: readonly string[] }
>();

interface FoundUser {
  readonly entry: Entry;
  readonly dn: Dn;
  readonly capabilities: Pick<Capabilities, 'identifier'>;
  readonly rules: LockoutRules;
}

/** Makes the account. Fields one by one: V8 makes an object that is spread a hundred times as slowly. */
function accountOf(
  { entry, dn, capabilities: { identifier }, rules }: FoundUser,
  { settings, clientMode, isRaised, ignored }: EffectiveSettings,
  { loginContext, domain, view }: Finding,
): Account {
  const id = idOf(entry, { dn, identifier });
  const data = storedIn(texts(entry, view.config.schema.data_attribute), { view, entry: id, dn });
  const tokens = readTokens(data);
  const channels = withoutLink(loginContext.request.demand?.link?.sentBy, channelsOf(entry, view));
  const source = loginContext.origin;
  const owner = { dn, id, settings, data, tokens, channels, source };
  const authenticators = distinctAuthenticators(owner, view);
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
