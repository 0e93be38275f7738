/**
 * A login as it arrives: who asks on whose behalf, under which policy, and what the request says of itself. Read
 * before any directory is asked.
 */

import { assertSource, type Caller } from '../../administration/policy/caller.ts';
import { callerKey } from '../../administration/policy/callers.ts';
import type { ClientPolicy, Whereabouts } from '../../administration/policy/client-policy.ts';
import {
  parseOptions,
  parseRequestSettings,
  type RequestSettings,
} from '../../administration/policy/request-settings.ts';
import type { Settled } from '../../administration/policy/strictness.ts';
import type { Domain } from '../../directory/domain.ts';
import { splitLogin } from '../../directory/entry/user.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { addressHolder } from '../../foundation/text/network.ts';
import { type Place, placeOf } from '../../limits/kept/users-and-places.ts';
import type { Asker } from '../../ports/directory/directory.ts';
import { type Gate, loginGate } from '../account/gate.ts';
import type { LoginRequest } from '../login-request.ts';
import type { LoginCall, VisitCall } from '../view.ts';

/** The name that was given, and the domain that it belongs to. */
export interface GivenName {
  readonly domain: Domain | undefined;
  readonly name: string;
  /** The part `jane` of `jane@example.com`, where a domain has that name: either may be the login name. */
  readonly short?: string;
}

export interface Visit {
  /** Undefined domain: there is no such one. */
  readonly named: GivenName;
  /** The domain of a login that names none. */
  readonly preset: Domain;
  readonly policy: ClientPolicy;
  readonly caller: Caller;
  /** The end user's address, where a trusted caller tells it: nobody else is believed (concepts.md §7). */
  readonly source: string | undefined;
  /** Those of the request, by what its caller may say. */
  readonly settings: RequestSettings;
  readonly options: ReadonlySet<string>;
  /** As it came; a challenge keeps it. */
  readonly request: LoginRequest;
  /** Caller and source, as they are counted (concepts.md §7). */
  readonly place: Place;
  /**
   * Stands for where it comes from, caller and end user together, so that nobody gets there by naming another's address.
   * Undefined: a trusted caller that does not tell where its users are.
   */
  readonly origin: string | undefined;
  /** Where it comes from, for the networks of its policy. */
  readonly whereabouts: Omit<Whereabouts, 'groups'>;
  /** Whether and when it is open, by the settings of the user. */
  readonly gate: Gate;
  /** The web service that is asked. */
  readonly service: string;
  /** On whose behalf passwords are judged. */
  readonly asker: Asker;
}

/** Longest name of a user or a client, in characters: both stand in the event log, and anybody may fill that. */
const maxName = 1024;

/**
 * A request as it comes in.
 * @param gate that of the application that asks; left out: that of one-time passwords
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address
 */
export function readVisit(request: LoginRequest, call: VisitCall, gate: Gate = loginGate): Visit {
  const { username = '', source, client } = request;
  checkName('username', username);
  if (client !== undefined) checkName('client', client);
  assertSource(source);
  const policy = call.clients.find(call.caller, client);
  const preset = presetDomain(policy, call);
  const options = parseOptions(request.options);
  const { address, trusted = false } = call.caller;
  const key = callerKey(call.caller);
  const place = placeOf({ key, address, trusted }, source);
  return {
    named: readName(request, { options, preset, call }),
    caller: call.caller,
    preset,
    policy,
    request,
    options,
    gate,
    service: call.application.service,
    source: trusted ? source : undefined,
    place,
    origin: place.calm === undefined ? place.id : undefined,
    whereabouts: whereaboutsOf(call.caller, source),
    asker: { caller: key, isKnown: false, signal: call.gone },
    settings: parseRequestSettings(request.settings, call, (name) => call.clients.maySet(call.caller, name)),
  };
}

/** Says in the log which settings of a request had no effect. */
export function tellIgnored(
  visit: Visit,
  { account, preset }: { account?: Ignoring | undefined; preset?: Ignoring | undefined },
  { log, transaction: { id: transaction, client } }: Pick<LoginCall, 'log' | 'transaction'>,
): void {
  const { ignored: names } = account ?? preset ?? visit.settings;
  if (names.length > 0) log.info('settings of a request were ignored', { transaction, client, names });
}

type Ignoring = Pick<Settled, 'ignored'>;

/** Whoever is not trusted is believed in nothing but that its users are elsewhere. */
function whereaboutsOf({ address, trusted }: Caller, source: string | undefined): Visit['whereabouts'] {
  if (source === undefined) return { address, isElsewhere: false };
  if (trusted) return { address: source, isElsewhere: false };
  return { address, isElsewhere: addressHolder(source) !== addressHolder(address) };
}

function checkName(parameter: string, name: string): void {
  if (name === '' || name.length > maxName)
    throw new ServiceError('invalid_params', {
      detail: `Parameter ${parameter} is not 1 to ${maxName} characters`,
    });
}

/** The client's, else the service's, else the installation's. */
function presetDomain(
  { defaultDomain }: ClientPolicy,
  { domains, services, application }: VisitCall,
): Domain {
  const name = defaultDomain ?? services.find(application.service).defaultDomain;
  return (name === undefined ? undefined : domains.find(name)) ?? domains.preset;
}

/** Reads the login name. No user is found where the field says another domain than `DOMAIN\user`; an address may be a login name in any domain. */
function readName(
  { username = '', domain }: LoginRequest,
  { options, preset, call }: { options: ReadonlySet<string>; preset: Domain; call: VisitCall },
): Visit['named'] {
  const field = domain === undefined ? preset : call.domains.find(domain);
  if (options.has('LDAPDN')) return { domain: field, name: username };
  const split = splitLogin(username, call.domains);
  if (!split.domain) return { domain: field, name: username };
  const { domain: named, name, whole } = split;
  const isOther = domain !== undefined && field !== named;
  if (whole === undefined) return { domain: isOther ? undefined : named, name };
  return isOther ? { domain: field, name: whole } : { domain: named, name: whole, short: name };
}
