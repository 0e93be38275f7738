/** The listeners of the bundled servers: with TLS, after their proxies, and with no more connections than their open files permit. */
import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig } from '@watchword/core';
import type { DirectHandler, WebRequest } from '@watchword/core/http';
import type { ServedApplications } from '@watchword/core/operator';
import { type LdapService, type ListenerCertificate, OtherVersion } from '@watchword/core/ports';
import { challengeCertificate, type ServerTls, serverTls } from '@watchword/engines/installation';
import type { LdapListener } from '@watchword/ldap';
import { openFileLimit } from '@watchword/node';
import {
  type ConnectionLimits,
  type Listener,
  limitConnections,
  secureOptions,
  serve,
} from '@watchword/node/http';
import type { ServerCommand } from '../program.ts';
import type { ServedVersion } from './served-version.ts';

type ServerName = ServerCommand['server'];

export class ServedListeners<A extends ServedApplications> {
  readonly http: Listener[] = [];
  readonly ldap: LdapListener[] = [];
  readonly #commands: readonly ServerCommand[];
  readonly #limitsOfLdap: ((limits: ConnectionLimits) => void)[] = [];
  #tls = new Map<ServerName, ServerTls>();
  #version: ServedVersion<A>;
  #handlers = new Map<ServerName, DirectHandler>();
  readonly #renew: (() => Promise<boolean>) | undefined;

  /** @param renew serves the settings at run time that are in force, or returns false; left out: they are not compared */
  constructor(
    commands: readonly ServerCommand[],
    version: ServedVersion<A>,
    renew: (() => Promise<boolean>) | undefined,
  ) {
    this.#commands = commands;
    this.#version = version;
    this.#renew = renew;
  }

  /** The version that answers the next request. */
  get version(): ServedVersion<A> {
    return this.#version;
  }

  /** The certificates in use. */
  get certificates(): readonly ListenerCertificate[] {
    return Array.from(this.#tls, ([listener, { certificate, isRenewed }]) => {
      const { subject, subjectAltName = '', ...read } = detailsOf(certificate);
      return { listener, ...read, subject: subject || subjectAltName, isRenewed };
    });
  }

  /** Opens all ports. @throws StartError; what was open then is open still */
  async open(): Promise<void> {
    this.#tls = await this.#readTls(this.#version);
    this.#measure();
    this.#handlers = this.#handlersOf(this.#version, this.#tls);
    for (const { server } of this.#commands) {
      const { config, engines } = this.#version;
      const { host, port } = config[server];
      const tls = this.#tlsOf(server);
      const portSetting = `${server}.port or WATCHWORD_${server.toUpperCase()}__PORT`;
      const connections = this.#connectionLimits();
      this.http.push(
        await serve(this.#handler(server), {
          ...{ host, port, portSetting, tls, log: engines.log, connections },
          challenge: (name) => challengeCertificate(this.#version.config, name),
        }),
      );
      if (server === 'ws') await this.#openLdap();
    }
  }

  /** Serves another version from the next request on. @throws StartError if its TLS cannot be set up; nothing has changed then */
  async replace(version: ServedVersion<A>): Promise<void> {
    const tls = await this.#readTls(version);
    const handlers = this.#handlersOf(version, tls);
    this.#handlers = handlers;
    this.#version = version;
    this.#tls = tls;
    this.#measure();
    const connections = this.#connectionLimits();
    for (const [index, { server }] of this.#commands.entries())
      this.http[index]?.replace(this.#handler(server), { tls: this.#tlsOf(server), connections });
    for (const door of this.ldap) door.replace(this.#ldapSettings());
    for (const setLimits of this.#limitsOfLdap) setLimits(connections);
  }

  /** Reads the certificates again. @returns whether one has changed @throws StartError; those before stay then */
  async renewCertificates(): Promise<boolean> {
    if (isDeepStrictEqual(await this.#readTls(this.#version), this.#tls)) return false;
    await this.replace(this.#version);
    return true;
  }

  async close(): Promise<void> {
    await Promise.all([...this.http, ...this.ldap].map((listener) => listener.close()));
  }

  #measure(): void {
    const { meter } = this.#version.engines;
    for (const { listener: server, end } of this.certificates)
      meter?.set('certificateEnd', { server }, end / 1000);
  }

  async #openLdap(): Promise<void> {
    const { config, engines } = this.#version;
    const { ldap_door: door } = config;
    if (!door) return;
    const { serveLdap } = await import('@watchword/ldap');
    const limits = this.#connectionLimits();
    const { clock, log } = engines;
    const shared = {
      ...this.#ldapSettings(),
      ...{ host: door.host, log },
      limit: (server: Server) => {
        this.#limitsOfLdap.push(limitConnections(server, limits, { clock, log }));
      },
    };
    for (const [scheme, setting, port] of [
      ['ldaps', 'ldaps_port', door.ldaps_port],
      ['ldap', 'port', door.port],
    ] as const) {
      if (port === undefined) continue;
      const portSetting = `ldap_door.${setting} or WATCHWORD_LDAP_DOOR__${setting.toUpperCase()}`;
      this.ldap.push(await serveLdap(this.#ldapService(), { ...shared, scheme, port, portSetting }));
    }
  }

  /** The LDAP service of the version that is present at a bind. */
  #ldapService(): LdapService {
    const present = () => this.#version;
    return {
      get nobody() {
        return present().service.ldap.nobody;
      },
      bind: (bind, client) => this.#answered((version) => version.service.ldap.bind(bind, client)),
    };
  }

  #handlersOf(version: ServedVersion<A>, tls: ReadonlyMap<ServerName, ServerTls>) {
    return new Map(
      this.#commands.map(({ server }) => [server, version.handlerOf(server, tls.get(server)?.ca).direct]),
    );
  }

  /** The handler of a server, whatever version is present. */
  #handler(server: ServerName): { readonly direct: DirectHandler } {
    return {
      direct: (request) => {
        const repeatable = withBodyOnce(request);
        return this.#answered(() => {
          const answer = this.#handlers.get(server);
          if (!answer) throw new RangeError(`no command serves ${server}`);
          return answer(repeatable);
        });
      },
    };
  }

  /** Answers by the present version; by the next one, where other settings at run time are in force. */
  async #answered<T>(answer: (version: ServedVersion<A>) => Promise<T>): Promise<T> {
    for (;;) {
      const version = this.#version;
      try {
        return await version.during(() => answer(version));
      } catch (error) {
        if (!(error instanceof OtherVersion)) throw error;
        const isServed = this.#version !== version || (await this.#renew?.());
        if (isServed !== true) version.keepUnder(error.version);
      }
    }
  }

  #ldapSettings() {
    const { domains, ldap_door: door } = this.#version.config;
    const { ca: _, ...own } = this.#tlsOf('ws');
    const bases = [...new Set(Object.values(domains).map(({ base }) => base))];
    return { bases, policy: door?.client, tls: secureOptions(own) };
  }

  async #readTls({ config, engines: { keys } }: ServedVersion<A>): Promise<Map<ServerName, ServerTls>> {
    const all = new Map<ServerName, ServerTls>();
    for (const { server } of this.#commands) {
      const tls = await serverTls(server, { config, keys });
      secureOptions(tls);
      all.set(server, tls);
    }
    return all;
  }

  #tlsOf(server: ServerName): ServerTls {
    const tls = this.#tls.get(server);
    if (!tls) throw new RangeError(`no command serves ${server}`);
    return tls;
  }

  #connectionLimits(): ConnectionLimits {
    const { config } = this.#version;
    const { limits, reverse_proxies, trusted_callers }: ServerConfig = config;
    const share = this.#commands.length + (config.ldap_door ? 1 : 0);
    const files = openFileLimit();
    const most = files === undefined ? undefined : Math.floor((files * filesOfConnections) / share);
    const exempt = [...reverse_proxies, ...trusted_callers];
    return { perAddress: limits.connections_per_address, exempt, most };
  }
}

function detailsOf(pem: string) {
  const { subject, subjectAltName, validFrom, validTo, fingerprint256 } = new X509Certificate(pem);
  return {
    ...{ subject: subject?.replaceAll('\n', ', '), subjectAltName },
    digest: fingerprint256.replaceAll(':', '').toLowerCase(),
    ...{ begin: Date.parse(validFrom), end: Date.parse(validTo) },
  };
}

/** Returns the request with a body that is read once, and known when it is asked for again. */
function withBodyOnce({
  method,
  url,
  headers,
  body,
  address,
  port,
  certificate,
  signal,
}: WebRequest): WebRequest {
  let read: ReturnType<WebRequest['body']> | undefined;
  return {
    ...{ method, url, headers, address, port, certificate, signal },
    body: (most) => {
      read ??= body(most);
      return read;
    },
  };
}

/** The share of open files for connections; the rest is for the data folder and directories. */
const filesOfConnections = 0.75;
