/** Rules between settings: combinations that no single setting forbids. Each rule returns its problems. */

import { coversAllAddresses } from '../foundation/text/network.ts';
import { Names } from '../table/dialect.ts';
import { directoryRules } from './directory-rules.ts';
import { type GatewaySettings, gatewayRules } from './gateways/rules.ts';
import { type Patterns, unknownData, unknownMethods } from './method-patterns.ts';
import { type PolicySettings, policyRules } from './policy-rules.ts';
import type { ConfigProblem } from './problems.ts';
import {
  applicationsIn,
  caseClashes,
  type SettingHolders,
  sameName,
  unknownName,
  wrongSettings,
} from './references.ts';
import { type SharedSettings, storeRules } from './store-rules.ts';
import { misplaced, type PlacedSettings } from './subtree-rules.ts';
import { reservedNames, type Vocabulary } from './vocabulary.ts';

/** The settings of the rules for `createService`. */
export interface ServiceSettings extends PolicySettings {
  readonly dialect: SettingHolders['dialect'];
  readonly settings: SettingHolders['settings'];
  readonly manager_auth?: string | undefined;
  readonly auth_mode?: string | undefined;
  readonly admin_auth?: string | undefined;
  readonly relying_party?: object | undefined;
  readonly manager_clients: readonly string[];
  readonly default_domain?: string | undefined;
  readonly roles: Patterns;
  readonly option_sets: Patterns;
}

/** The settings of the rules for the bundled servers. */
export interface ServerSettings extends PlacedSettings, SharedSettings, GatewaySettings {
  readonly acme?: { readonly eab?: AccountKey | undefined } | undefined;
  readonly ca: TlsFiles;
  readonly ldap_door?: Door | undefined;
  readonly license: LicenseFiles;
  readonly manager: TlsFiles;
  readonly ws: TlsFiles & Door;
  readonly reverse_proxies: readonly string[];
  readonly proxy_headers: { readonly address: string; readonly certificate?: string | undefined };
}

interface Door {
  readonly host: string;
  readonly port?: number | undefined;
  readonly ldaps_port?: number | undefined;
}

interface TlsFiles {
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

interface AccountKey {
  readonly key?: string | undefined;
  readonly key_file?: string | undefined;
}

interface LicenseFiles {
  readonly file?: string | undefined;
  readonly key?: string | undefined;
}

export function serviceRules(config: ServiceSettings, vocabulary: Vocabulary): ConfigProblem[] {
  const domains = Object.keys(config.domains);
  const applications = applicationsIn(config.dialect, vocabulary.applications);
  const words = { ...vocabulary, applications, names: new Names(config.names) };
  return [
    ...managerLogin(config),
    ...portalLogin(config),
    ...wordClashes(config),
    ...caseClashes(['domains'], domains, 'domain'),
    ...aliasClashes(config.domains),
    ...caseClashes(['roles'], Object.keys(config.roles), 'role'),
    ...caseClashes(['option_sets'], Object.keys(config.option_sets), 'option set'),
    ...unknownName(['default_domain'], config.default_domain, { of: 'domains', names: domains }),
    ...wrongSettings(['settings'], config.settings, words),
    ...unknownMethods(['roles'], config.roles, words),
    ...unknownData(['roles'], config.roles, words),
    ...unknownData(['option_sets'], config.option_sets, words),
    ...unknownMethods(['option_sets'], config.option_sets, words),
    ...policyRules(config, words),
  ];
}

export function serverRules(config: ServerSettings): ConfigProblem[] {
  const { ca, license, manager, ws } = config;
  return [
    ...directoryRules(config),
    ...storeRules(config),
    ...gatewayRules(config),
    ...pairedFiles('ca', ofTls(ca)),
    ...pairedFiles('manager', ofTls(manager)),
    ...pairedFiles('ws', ofTls(ws)),
    ...pairedFiles('license', { file: license.file, key: license.key }),
    ...proxyHeaders(config),
    ...misplaced(config),
    ...samePort(config),
    ...certificateOrders(config),
  ];
}

/** Finds aliases that another domain has as its name or alias. */
function aliasClashes(domains: ServiceSettings['domains']): ConfigProblem[] {
  const taken = Object.keys(domains);
  return Object.entries(domains).flatMap(([domain, { aliases = [] }]) =>
    aliases.flatMap((alias, index) => {
      const other = sameName(taken, alias);
      taken.push(alias);
      if (other === undefined) return [];
      const path = ['domains', domain, 'aliases', index];
      return [{ path, message: 'is the name or an alias of a domain already', cure: 'remove one of them' }];
    }),
  );
}

const multiFactor = ['PKI', 'OTP', 'U2F', 'MFA'];

/**
 * Checks that the Manager is no way around the factors of the portal, where the portal asks for several.
 * `manager_auth` follows `auth_mode`.
 */
function managerLogin({
  manager_auth,
  auth_mode,
  admin_auth,
  manager_clients,
}: ServiceSettings): ConfigProblem[] {
  const mode = manager_auth ?? auth_mode ?? 'UID';
  const portal = admin_auth ?? auth_mode ?? '';
  if (mode === 'PKI' || !multiFactor.includes(portal)) return [];
  if (mode === 'UID' && manager_clients.length > 0 && !manager_clients.some(coversAllAddresses)) return [];
  const path = [admin_auth === undefined ? 'auth_mode' : 'admin_auth'];
  const message = `is ${portal}, and the Manager with a password alone would be the way around it`;
  const cure = 'set manager_auth to PKI, or to UID with a list of clients in manager_clients';
  return [{ path, message, cure }];
}

/** Checks that security keys have a host, without which no administrator could sign in to the portal. */
function portalLogin({ admin_auth, relying_party }: ServiceSettings): ConfigProblem[] {
  if (admin_auth !== 'U2F' || relying_party !== undefined) return [];
  const message = 'is U2F, and there is no relying party that security keys are registered for';
  return [{ path: ['admin_auth'], message, cure: 'set relying_party, or admin_auth to MFA or OTP' }];
}

/** Checks that a word, ours or theirs, belongs to one application; `Otp` and `otp` are of the same. */
function wordClashes({ names }: ServiceSettings): ConfigProblem[] {
  const owners = new Map(Object.keys(names).map((ours) => [ours.toLowerCase(), ours.toLowerCase()]));
  for (const reserved of reservedNames) owners.set(reserved, reserved);
  return Object.entries(names).flatMap(([ours, theirs]) => {
    const owner = owners.get(theirs.toLowerCase()) ?? ours.toLowerCase();
    owners.set(theirs.toLowerCase(), owner);
    if (owner === ours.toLowerCase()) return [];
    return [
      { path: ['names', ours], message: `is a word that ${owner} has already`, cure: 'choose another word' },
    ];
  });
}

const ofTls = ({ certificate, key }: TlsFiles) => ({ certificate, key });

/** Checks files that need each other. */
function pairedFiles(name: string, files: Readonly<Record<string, string | undefined>>): ConfigProblem[] {
  const keys = Object.keys(files);
  const missing = keys.filter((key) => files[key] === undefined);
  if (missing.length === 0 || missing.length === keys.length) return [];
  const cure = `name both ${keys.join(' and ')}, or neither`;
  return missing.map((key) => ({ path: [name, key], message: 'is missing', cure }));
}

function proxyHeaders({ reverse_proxies, proxy_headers }: ServerSettings): ConfigProblem[] {
  const { address, certificate } = proxy_headers;
  if (certificate === undefined) return [];
  const path = ['proxy_headers', 'certificate'];
  if (certificate.toLowerCase() === address.toLowerCase())
    return [{ path, message: 'is the header of the address as well', cure: 'name two different headers' }];
  if (reverse_proxies.length > 0) return [];
  const message = 'is believed from nobody, because no reverse proxy is listed';
  return [{ path, message, cure: 'list the proxies in reverse_proxies, or leave this out' }];
}

/** Checks ports within the server of the web services; the Manager may be on another machine. Port 0 is any free port. */
function samePort({ ws, ldap_door: door }: ServerSettings): ConfigProblem[] {
  const taken = ws.port && door && meets(ws.host, door.host) ? [ws.port] : [];
  return (['ldaps_port', 'port'] as const).flatMap((key) => {
    const port = door?.[key];
    if (!port) return [];
    const message = `is ${port}, which is taken by another door of this server`;
    const problem = { path: ['ldap_door', key], message, cure: 'give each a port of its own' };
    if (taken.includes(port)) return [problem];
    taken.push(port);
    return [];
  });
}

/** Checks that a certificate of the ACME server has a listener, and an existing account its key. */
function certificateOrders({ acme, manager, ws }: ServerSettings): ConfigProblem[] {
  if (!acme) return [];
  const problems: ConfigProblem[] = [];
  if (manager.certificate !== undefined && ws.certificate !== undefined)
    problems.push({
      path: ['acme'],
      message: 'has no listener, because manager and ws have a certificate of their own',
      cure: 'remove certificate and key of a listener, or acme',
    });
  if (acme.eab && (acme.eab.key === undefined) === (acme.eab.key_file === undefined))
    problems.push({
      path: ['acme', 'eab'],
      message: 'needs the key of the account once',
      cure: 'write key_file or key, and not both',
    });
  return problems;
}

/** Returns whether one port of both hosts would be one address to listen on. */
const meets = (one: string, other: string): boolean =>
  one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::');
