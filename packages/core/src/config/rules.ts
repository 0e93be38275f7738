/** Rules between settings: combinations that no single setting forbids. Each gives the problems that it finds. */
import { readSetting } from '../application.ts';
import { applications } from '../applications.ts';
import { Names } from '../dialect.ts';
import type { ConfigProblem } from './problems.ts';

/** The settings that the rules for `createService` look at. */
export interface ServiceSettings {
  /** All of ours → theirs. */
  readonly names: Readonly<Record<string, string>>;
  readonly manager_auth?: string | undefined;
  readonly auth_mode?: string | undefined;
  readonly admin_auth?: string | undefined;
  readonly manager_clients: readonly string[];
  readonly default_domain?: string | undefined;
  readonly domains: Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, string | boolean>>;
}

/** The settings that the rules for the bundled servers look at. */
export interface ServerSettings {
  readonly directory: LdapSettings | { readonly type: 'embedded' };
  readonly manager: TlsFiles;
  readonly ws: TlsFiles;
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

export function serviceRules(config: ServiceSettings): ConfigProblem[] {
  return [
    ...managerLogin(config),
    ...wordClashes(config),
    ...domainClashes(config),
    ...unknownDefault(config),
    ...wrongPresets(config),
  ];
}

export function serverRules(config: ServerSettings): ConfigProblem[] {
  const { directory, manager, ws } = config;
  const ofDirectory = directory.type === 'ldap' ? [...transport(directory), ...binding(directory)] : [];
  return [...ofDirectory, ...pairedFiles('manager', manager), ...pairedFiles('ws', ws)];
}

const multiFactor = ['PKI', 'OTP', 'U2F', 'MFA'];

/** Specification §5.1: `manager_auth` follows `auth_mode`; rule 1 for a portal with several factors. */
function managerLogin({
  manager_auth,
  auth_mode,
  admin_auth,
  manager_clients,
}: ServiceSettings): ConfigProblem[] {
  const path = [manager_auth === undefined && auth_mode !== undefined ? 'auth_mode' : 'manager_auth'];
  const mode = manager_auth ?? auth_mode ?? 'UID';
  if (mode === 'PKI') {
    const message = 'is PKI, which comes with client certificates in a later release';
    return [{ path, message, cure: 'set manager_auth to UID or DN' }];
  }
  if (!multiFactor.includes(admin_auth ?? '') || (mode === 'UID' && manager_clients.length > 0)) return [];
  const message = `is ${admin_auth}, and the Manager with a password alone would be the way around it`;
  return [
    {
      path: ['admin_auth'],
      message,
      cure: 'set manager_auth to UID and list the clients in manager_clients',
    },
  ];
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

function domainClashes({ domains }: ServiceSettings): ConfigProblem[] {
  const names = Object.keys(domains);
  return names
    .filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index)
    .map((name) => ({
      path: ['domains', name],
      message: 'differs from another domain in upper and lower case only',
      cure: 'rename one of them',
    }));
}

function unknownDefault({ default_domain, domains }: ServiceSettings): ConfigProblem[] {
  if (default_domain === undefined || sameName(Object.keys(domains), default_domain)) return [];
  const cure = `name one of them: ${Object.keys(domains).join(', ')}`;
  return [{ path: ['default_domain'], message: 'is not among domains', cure }];
}

/** Defaults of applications that no application has, or that it would not take. */
function wrongPresets({ names, settings }: ServiceSettings): ConfigProblem[] {
  const words = new Names(names);
  return Object.entries(settings).flatMap(([name, value]) => {
    const read = readSetting(applications, words.oursDotted(name), value);
    if (!('wrong' in read)) return [];
    const cure = 'docs/reference/application-settings.md lists them with their values';
    return [{ path: ['settings', name], message: read.wrong, cure }];
  });
}

/** The name in `names` that is `wanted` without regard to case. */
export function sameName(names: readonly string[], wanted: string): string | undefined {
  return names.find((name) => name.toLowerCase() === wanted.toLowerCase());
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

function pairedFiles(name: string, { certificate, key }: TlsFiles): ConfigProblem[] {
  if ((certificate === undefined) === (key === undefined)) return [];
  const missing = certificate === undefined ? 'certificate' : 'key';
  return [
    { path: [name, missing], message: 'is missing', cure: 'name both certificate and key, or neither' },
  ];
}
