/**
 * A login as it arrives: who asks on whose behalf, under which policy, and what the request says of itself. Read
 * before any directory is asked.
 */
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import type { Core } from '../core.ts';
import type { Domain } from '../directory/domain.ts';
import type { Settings } from '../directory/settings.ts';
import { splitLogin } from '../directory/user.ts';
import { ServiceError } from '../errors.ts';
import { holderOf, Network } from '../network.ts';
import type { OperationCall } from '../operation.ts';
import type { ClientPolicy } from '../policy/client-policies.ts';
import { parseOptions, parseRequestSettings } from '../policy/request-settings.ts';
import type { LoginRequest } from './login-request.ts';

export interface Visit {
  /** The name that was given, and the domain that it belongs to; undefined: there is no such domain. */
  readonly named: { readonly domain: Domain | undefined; readonly name: string };
  /** The domain of a login that names none. */
  readonly preset: Domain;
  readonly policy: ClientPolicy;
  /** Of the end user, where the caller tells it. */
  readonly source: string | undefined;
  /** Of the caller. */
  readonly address: string;
  /** The caller has shown who it is, or stands where it is believed. */
  readonly trusted: boolean;
  /** Those of the request, in our words; they win over every layer. */
  readonly settings: Settings;
  readonly options: ReadonlySet<string>;
  /** As it came; a challenge keeps it. */
  readonly request: LoginRequest;
}

/** Longest name of a user or a client, in characters: both stand in the event log, and anybody may fill that. */
const maxName = 1024;

/** A request as it comes in. @throws ServiceError as {@link readVisit} */
export function receiveVisit(request: LoginRequest, call: OperationCall): Visit {
  const { ignored } = parseRequestSettings(request.settings, call.core);
  const { id: transaction, client } = call.transaction;
  if (ignored.length > 0)
    call.core.log.info('settings of a request were ignored', { transaction, client, names: ignored });
  return readVisit(request, call);
}

/** @throws ServiceError `invalid_params`; `client_refused` where `source` is no address */
export function readVisit(request: LoginRequest, { core, caller }: OperationCall): Visit {
  const { username = '', source, client } = request;
  checkName('username', username);
  if (client !== undefined) checkName('client', client);
  // A zone (RFC 4007 §11) may be any text: one address would be many.
  if (source !== undefined && (isIP(source) === 0 || source.includes('%')))
    throw new ServiceError('client_refused', { detail: 'Parameter source is no IP address' });
  const policy = core.clients.find(caller.client ?? client, caller.address);
  const preset = presetDomain(policy, core);
  const options = parseOptions(request.options);
  return {
    named: readName(request, { options, preset, core }),
    ...{ preset, policy, source, request, options },
    ...{ address: caller.address, trusted: caller.trusted ?? false },
    ...{ settings: parseRequestSettings(request.settings, core).settings },
  };
}

/**
 * The address that a visit counts for, in the network's notation that one holder has for itself. Undefined: it is a
 * trusted caller's that does not tell where its users are, and it answers for none of them (concepts.md §7).
 */
export function placeOf({ trusted, source, address }: Visit): string | undefined {
  if (!trusted) return holderOf(source ?? address);
  const isTold = source !== undefined && !isLoopback(source) && holderOf(source) !== holderOf(address);
  return isTold ? holderOf(source) : undefined;
}

/**
 * Stands for where a visit comes from, caller and end user together, so that nobody gets there by naming another's
 * address. Undefined: a trusted caller that does not tell where its users are.
 */
export const originOf = (visit: Visit): string | undefined =>
  placeOf(visit) && hash('sha256', JSON.stringify([holderOf(visit.address), visit.source ?? '']));

const loopbacks = ['127.0.0.0/8', '::1'].map((text) => Network.parse(text));
const isLoopback = (address: string): boolean => loopbacks.some((network) => network?.contains(address));

function checkName(parameter: string, name: string): void {
  if (name === '' || name.length > maxName)
    throw new ServiceError('invalid_params', {
      detail: `Parameter ${parameter} is not 1 to ${maxName} characters`,
    });
}

/** The client's, else the service's, else the installation's. */
function presetDomain({ defaultDomain }: ClientPolicy, { domains, services }: Core): Domain {
  const name = defaultDomain ?? services.find('otp').defaultDomain;
  return (name === undefined ? undefined : domains.find(name)) ?? domains.preset;
}

/** `DOMAIN\user` is split; where the field says another domain than the name, there is no such user. */
function readName(
  { username = '', domain }: LoginRequest,
  { options, preset, core }: { options: ReadonlySet<string>; preset: Domain; core: Core },
): Visit['named'] {
  const field = domain === undefined ? undefined : core.domains.find(domain);
  if (options.has('LDAPDN')) return { domain: domain === undefined ? preset : field, name: username };
  const [named, name] = splitLogin(username, core.domains);
  if (!named) return { domain: domain === undefined ? preset : field, name };
  return { domain: domain === undefined || field === named ? named : undefined, name };
}
