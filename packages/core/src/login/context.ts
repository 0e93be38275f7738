/**
 * The context of a login: the caller, the source, the client policy and the request's own settings, read before any directory is asked.
 */

import { assertSource, type Caller } from '../administration/policy/caller.ts';
import { callerKey } from '../administration/policy/callers.ts';
import type { ClientPolicy, Whereabouts } from '../administration/policy/client-policy.ts';
import {
  parseOptions,
  parseRequestSettings,
  type RequestSettings,
} from '../administration/policy/request-settings.ts';
import type { Settled } from '../administration/policy/strictness.ts';
import type { Domain, Domains } from '../directory/domain.ts';
import { splitLogin } from '../directory/entry/user.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import { Dn } from '../foundation/text/dn.ts';
import { addressBlock } from '../foundation/text/network.ts';
import { type Source, sourceOf } from '../limits/source.ts';
import type { Requester } from '../ports/directory/directory.ts';
import type { LoginRequest } from './request.ts';
import { type ContextCall, type Gate, type LoginCall, loginGate } from './view.ts';

/** The name that was given, and the domain that it belongs to. */
interface GivenName {
  /** Undefined: there is no such domain. */
  readonly domain: Domain | undefined;
  readonly name: string;
  /** The part `jane` of `jane@example.com`, where a domain has that name: either may be the login name. */
  readonly short?: string;
}

export interface LoginContext {
  readonly named: GivenName;
  /** The domain of a login that names none. */
  readonly preset: Domain;
  readonly policy: ClientPolicy;
  readonly caller: Caller;
  /** The end user's address, as a trusted caller reports it; other callers are not believed. */
  readonly reportedAddress: string | undefined;
  /** Settings of the request, by what its caller may set. */
  readonly settings: RequestSettings;
  readonly options: ReadonlySet<string>;
  /** The request as it came; a challenge keeps it. */
  readonly request: LoginRequest;
  /** The source by which the limits count (docs/concepts/callers-and-sources.md#source). */
  readonly source: Source;
  /**
   * The identifier of caller and end user together, so that naming another's address leads nowhere. Undefined: a trusted caller that
   * does not tell where its users are.
   */
  readonly origin: string | undefined;
  /** The address of the login, for the networks of its policy. */
  readonly whereabouts: Omit<Whereabouts, 'groups'>;
  /** Settings of the user that open the application that asks. */
  readonly gate: Gate;
  /** The web service that is asked. */
  readonly service: string;
  /** Caller on whose behalf passwords are judged. */
  readonly requester: Requester;
}

/** Longest name of a user or a client, in characters: both are in the event log, and anybody may fill that. */
const maxName = 1024;

/**
 * Reads who asks, and for whom.
 * @param gate of the application that asks; optional, default: that of one-time passwords
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address
 */
export function readContext(request: LoginRequest, call: ContextCall, gate: Gate = loginGate): LoginContext {
  const { username = '', source, client } = request;
  checkName('username', username);
  if (client !== undefined) checkName('client', client);
  assertSource(source);
  const policy = call.clients.find(call.caller, client);
  const preset = presetDomain(policy, call);
  const options = parseOptions(request.options);
  const { address, trusted = false } = call.caller;
  const key = callerKey(call.caller);
  const counted = sourceOf({ key, address, trusted }, source);
  return {
    named: readName(request, { options, preset, call }),
    caller: call.caller,
    preset,
    policy,
    request,
    options,
    gate,
    service: call.application.service,
    reportedAddress: trusted ? source : undefined,
    source: counted,
    origin: counted.watched === undefined ? counted.id : undefined,
    whereabouts: whereaboutsOf(call.caller, source),
    requester: { caller: key, isKnown: false, signal: call.signal },
    settings: parseRequestSettings(request.settings, call, (name) => call.clients.maySet(call.caller, name)),
  };
}

/** Logs which settings of a request had no effect. */
export function logIgnored(
  loginContext: LoginContext,
  { account, preset }: { account?: Ignoring | undefined; preset?: Ignoring | undefined },
  { log, transaction: { id: transaction, client } }: Pick<LoginCall, 'log' | 'transaction'>,
): void {
  const { ignored: names } = account ?? preset ?? loginContext.settings;
  if (names.length > 0) log.info('settings of a request were ignored', { transaction, client, names });
}

type Ignoring = Pick<Settled, 'ignored'>;

/**
 * Reads a login name that is a DN: in the default domain where that holds the entry, else in the narrowest that does.
 * @throws ServiceError `invalid_dn`
 */
export function byDn(
  name: string,
  { domains }: { readonly domains: Domains },
): Pick<LoginRequest, 'username' | 'domain'> & { readonly options?: 'LDAPDN' } {
  const holding = domains.containing(Dn.parse(name));
  const [narrowest] = holding.toSorted((a, b) => b.base.rdns.length - a.base.rdns.length);
  const domain = narrowest && !holding.includes(domains.preset) ? narrowest.name : undefined;
  return { username: name, options: 'LDAPDN', ...(domain !== undefined && { domain }) };
}

/** A caller that is not trusted is believed in nothing but that its users are elsewhere. */
function whereaboutsOf(
  { address, trusted }: Caller,
  source: string | undefined,
): LoginContext['whereabouts'] {
  if (source === undefined) return { address, isElsewhere: false };
  if (trusted) return { address: source, isElsewhere: false };
  return { address, isElsewhere: addressBlock(source) !== addressBlock(address) };
}

function checkName(parameter: string, name: string): void {
  if (name === '' || name.length > maxName)
    throw new ServiceError('invalid_params', {
      detail: `Parameter ${parameter} is not 1 to ${maxName} characters`,
    });
}

/** Finds the default domain: the client's, else the service's, else the installation's. */
function presetDomain(
  { defaultDomain }: ClientPolicy,
  { domains, services, application }: ContextCall,
): Domain {
  const name = defaultDomain ?? services.find(application.service).defaultDomain;
  return (name === undefined ? undefined : domains.find(name)) ?? domains.preset;
}

/** Reads the login name. No user is found where the field says another domain than `DOMAIN\user`; an address may be a login name in any domain. */
function readName(
  { username = '', domain }: LoginRequest,
  { options, preset, call }: { options: ReadonlySet<string>; preset: Domain; call: ContextCall },
): GivenName {
  const field = domain === undefined ? preset : call.domains.find(domain);
  if (options.has('LDAPDN')) return { domain: field, name: username };
  const split = splitLogin(username, call.domains);
  if (!split.domain) return { domain: field, name: username };
  const { domain: named, name, whole } = split;
  const isOther = domain !== undefined && field !== named;
  if (whole === undefined) return { domain: isOther ? undefined : named, name };
  return isOther ? { domain: field, name: whole } : { domain: named, name: whole, short: name };
}
