/** Options of an LDAP directory. */
import { isIP } from 'node:net';
import { Dn, ServiceError } from '@watchword/core/foundation';

export interface LdapOptions {
  /** `ldap://host[:port]` or `ldaps://host[:port]`, the preferred one first; the others are for failover. */
  readonly urls: readonly string[];
  /** Encrypts `ldap://` by StartTLS (RFC 4511 §4.14). */
  readonly start_tls?: boolean;
  /** Certificates of the servers' CAs in PEM. Optional; default: those of Node. */
  readonly ca?: string;
  /** Allows `ldap://` without StartTLS, which sends passwords in clear. Needed for loopback, too. */
  readonly allow_plain?: boolean;
  /** The DN of the service. */
  readonly bind_dn: string;
  readonly bind_password: string;
  /** The naming context, from which searches of the root begin. Optional; default: the first of the root DSE. */
  readonly base?: string;
  /**
   * Entries besides `base` that every server must hold, as the bases of domains. With several `urls`, a server that lacks one is skipped: it
   * is empty, or a replica that is not synchronized.
   */
  readonly bases?: readonly string[];
  /** The kind of server; `auto` (the default) reads it from the root DSE. */
  readonly vendor?: 'openldap' | 'active-directory' | 'auto';
  /** The timeout in milliseconds of a request, and of connecting; default 10000. */
  readonly timeout_ms?: number;
  /** Most connections of the service, and also of logins; default 4. */
  readonly connections?: number;
  /** Entries of a page of a search, RFC 2696; default 500. */
  readonly page_size?: number;
}

/** A server, and the security of its connections. */
export interface Target {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'start_tls' | 'plain';
  readonly ca?: string;
}

export interface LdapSettings {
  readonly targets: readonly Target[];
  readonly service: { readonly dn: Dn; readonly password: string };
  readonly base?: Dn;
  /** Distinct bases, `base` included. */
  readonly bases: readonly Dn[];
  readonly vendor: 'openldap' | 'active-directory' | 'auto';
  /** Milliseconds. */
  readonly timeout: number;
  readonly connections: number;
  readonly pageSize: number;
}

/** Checks the options. @throws ServiceError `invalid_params` with the option and the cure */
export function readOptions(options: LdapOptions): LdapSettings {
  if (options.urls.length === 0) throw invalidOption('urls: at least one is needed');
  if (options.bind_password === '')
    throw invalidOption('bind_password: an empty one would be an anonymous bind');
  // Node accepts any text, and would then trust no server.
  if (options.ca !== undefined && !options.ca.includes('-----BEGIN CERTIFICATE-----'))
    throw invalidOption('ca: holds no certificate in PEM');
  const bases = [options.base ?? [], options.bases ?? []].flat().map((text) => Dn.parse(text));
  return {
    targets: options.urls.map((url) => targetOf(url, options)),
    bases: [...new Map(bases.map((base) => [base.key, base])).values()],
    service: { dn: Dn.parse(options.bind_dn), password: options.bind_password },
    ...(options.base !== undefined && { base: Dn.parse(options.base) }),
    vendor: options.vendor ?? 'auto',
    timeout: positive('timeout_ms', options.timeout_ms ?? 10_000),
    connections: positive('connections', options.connections ?? 4),
    pageSize: positive('page_size', options.page_size ?? 500),
  };
}

function targetOf(text: string, { start_tls, allow_plain, ca }: LdapOptions): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const secure = url?.protocol === 'ldaps:';
  if (!url || !(secure || url.protocol === 'ldap:') || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw invalidOption(`urls: '${text}' is none; write ldaps://host or ldap://host`);
  }
  if (!secure && !start_tls && !allow_plain) {
    throw invalidOption(
      `urls: ${text} is not encrypted; use ldaps://, set start_tls, or allow_plain to accept it`,
    );
  }
  return {
    url: text,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 636 : 389) : Number(url.port),
    security: secure ? 'tls' : start_tls ? 'start_tls' : 'plain',
    ...(ca !== undefined && { ca }),
  };
}

/** Returns the name for SNI and the certificate check; RFC 6066 §3 forbids addresses as SNI. */
export function serverName({ host }: Target): { servername?: string } {
  return isIP(host) === 0 ? { servername: host } : {};
}

/** The limit of timers, and of numbers in LDAP. */
const largest = 2 ** 31 - 1;

function positive(name: string, value: number): number {
  if (!Number.isInteger(value) || value <= 0 || value > largest)
    throw invalidOption(`${name}: not an integer from 1 to ${largest}`);
  return value;
}

function invalidOption(detail: string): ServiceError {
  return new ServiceError('invalid_params', { detail });
}
