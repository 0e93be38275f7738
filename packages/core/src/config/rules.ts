/** Rules between settings: combinations that no single setting forbids. Each gives the problems that it finds. */
import { Names } from '../dialect.ts';
import { type PolicySettings, policyRules } from './policy-rules.ts';
import type { ConfigProblem } from './problems.ts';
import { caseClashes, unknownName, wrongSettings } from './references.ts';

/** The settings that the rules for `createService` look at. */
export interface ServiceSettings extends PolicySettings {
  readonly manager_auth?: string | undefined;
  readonly auth_mode?: string | undefined;
  readonly admin_auth?: string | undefined;
  readonly manager_clients: readonly string[];
  readonly default_domain?: string | undefined;
  readonly roles: Readonly<Record<string, unknown>>;
  readonly option_sets: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, string | boolean>>;
}

/** The settings that the rules for the bundled servers look at. */
export interface ServerSettings {
  readonly directory: LdapSettings | { readonly type: 'embedded' };
  readonly ca: TlsFiles;
  readonly license: LicenseFiles;
  readonly manager: TlsFiles;
  readonly ws: TlsFiles;
  readonly reverse_proxies: readonly string[];
  readonly proxy_headers: { readonly address: string; readonly certificate?: string | undefined };
}

interface LdapSettings {
  readonly type: 'ldap';
  readonly urls: readonly string[];
  readonly start_tls: boolean;
  readonly allow_plain: boolean;
  readonly bind_password?: string | undefined;
  readonly bind_password_file?: string | undefined;
}

interface TlsFiles {
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

interface LicenseFiles {
  readonly file?: string | undefined;
  readonly key?: string | undefined;
}

export function serviceRules(config: ServiceSettings): ConfigProblem[] {
  const domains = Object.keys(config.domains);
  return [
    ...managerLogin(config),
    ...wordClashes(config),
    ...caseClashes(['domains'], domains, 'domain'),
    ...caseClashes(['roles'], Object.keys(config.roles), 'role'),
    ...caseClashes(['option_sets'], Object.keys(config.option_sets), 'option set'),
    ...unknownName(['default_domain'], config.default_domain, { of: 'domains', names: domains }),
    ...wrongSettings(['settings'], config.settings, new Names(config.names)),
    ...policyRules(config),
  ];
}

export function serverRules(config: ServerSettings): ConfigProblem[] {
  const { directory, ca, license, manager, ws } = config;
  const ofDirectory = directory.type === 'ldap' ? [...transport(directory), ...binding(directory)] : [];
  return [
    ...ofDirectory,
    ...pairedFiles('ca', ofTls(ca)),
    ...pairedFiles('manager', ofTls(manager)),
    ...pairedFiles('ws', ofTls(ws)),
    ...pairedFiles('license', { file: license.file, key: license.key }),
    ...proxyHeaders(config),
  ];
}

const multiFactor = ['PKI', 'OTP', 'U2F', 'MFA'];

/**
 * Specification §5.1 rule 1: where the portal asks for several factors, the Manager is not to be the way around them.
 * `manager_auth` follows `auth_mode`.
 */
function managerLogin({
  manager_auth,
  auth_mode,
  admin_auth,
  manager_clients,
}: ServiceSettings): ConfigProblem[] {
  const mode = manager_auth ?? auth_mode ?? 'UID';
  if (mode === 'PKI' || !multiFactor.includes(admin_auth ?? '')) return [];
  if (mode === 'UID' && manager_clients.length > 0) return [];
  const message = `is ${admin_auth}, and the Manager with a password alone would be the way around it`;
  const cure = 'set manager_auth to PKI, or to UID with a list of clients in manager_clients';
  return [{ path: ['admin_auth'], message, cure }];
}

/** A word, ours or theirs, belongs to one application; `Otp` and `otp` are of the same. */
function wordClashes({ names }: ServiceSettings): ConfigProblem[] {
  const owners = new Map(Object.keys(names).map((ours) => [ours.toLowerCase(), ours.toLowerCase()]));
  for (const reserved of ['manager', 'manag', 'ws']) owners.set(reserved, reserved);
  return Object.entries(names).flatMap(([ours, theirs]) => {
    const owner = owners.get(theirs.toLowerCase()) ?? ours.toLowerCase();
    owners.set(theirs.toLowerCase(), owner);
    if (owner === ours.toLowerCase()) return [];
    return [
      { path: ['names', ours], message: `is a word that ${owner} has already`, cure: 'choose another word' },
    ];
  });
}

/** A password never crosses the network in clear by an oversight. */
function transport({ urls, start_tls, allow_plain }: LdapSettings): ConfigProblem[] {
  return urls.flatMap((url, index) => {
    const path = ['directory', 'urls', index];
    const isTls = url.toLowerCase().startsWith('ldaps:');
    if (isTls && start_tls) {
      return [
        {
          path,
          message: 'is ldaps:// and start_tls is on',
          cure: 'use ldap:// with start_tls, or turn start_tls off',
        },
      ];
    }
    if (isTls || start_tls || allow_plain) return [];
    const cure =
      'use ldaps://, turn on directory.start_tls, or set directory.allow_plain if the network is yours alone';
    return [{ path, message: 'would send passwords in clear', cure }];
  });
}

/** The service finds users before anyone has logged in: it needs an identity of its own. */
function binding({ bind_password, bind_password_file }: LdapSettings): ConfigProblem[] {
  const path = ['directory', 'bind_password_file'];
  if (bind_password !== undefined && bind_password_file !== undefined)
    return [{ path, message: 'stands beside bind_password', cure: 'keep one of the two' }];
  if (bind_password !== undefined || bind_password_file !== undefined) return [];
  return [{ path, message: 'is missing', cure: 'name a file with the password of bind_dn' }];
}

const ofTls = ({ certificate, key }: TlsFiles) => ({ certificate, key });

/** Files of which one is no good without the other. */
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
