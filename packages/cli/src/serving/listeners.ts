/** The listeners of the bundled servers: with TLS, after their proxies, and with no more connections than their open files permit. */
import type { Server } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig } from '@watchword/core';
import type { ServedApplications } from '@watchword/core/operator';
import type { LdapService } from '@watchword/core/ports';
import { type ServerTls, serverTls } from '@watchword/engines/installation';
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

  constructor(commands: readonly ServerCommand[], version: ServedVersion<A>) {
    this.#commands = commands;
    this.#version = version;
  }

  /** The version that answers the next request. */
  get version(): ServedVersion<A> {
    return this.#version;
  }

  /** Opens all ports. @throws StartError; what was open then is open still */
  async open(): Promise<void> {
    this.#tls = await this.#readTls(this.#version);
    for (const { server } of this.#commands) {
      const { config, engines } = this.#version;
      const { host, port } = config[server];
      const tls = this.#tlsOf(server);
      const portSetting = `${server}.port or WATCHWORD_${server.toUpperCase()}__PORT`;
      const connections = this.#connectionLimits();
      const handler = this.#version.handlerOf(server, tls.ca);
      this.http.push(await serve(handler, { host, port, portSetting, tls, log: engines.log, connections }));
      if (server === 'ws') await this.#openLdap();
    }
  }

  /** Serves another version from the next request on. @throws StartError if its TLS cannot be set up; nothing has changed then */
  async replace(version: ServedVersion<A>): Promise<void> {
    const tls = await this.#readTls(version);
    const handlers = this.#commands.map(({ server }) => version.handlerOf(server, tls.get(server)?.ca));
    this.#version = version;
    this.#tls = tls;
    const connections = this.#connectionLimits();
    for (const [index, { server }] of this.#commands.entries()) {
      const handler = handlers[index];
      if (handler) this.http[index]?.replace(handler, { tls: this.#tlsOf(server), connections });
    }
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
      bind: (bind, client) => {
        const version = present();
        return version.during(() => version.service.ldap.bind(bind, client));
      },
    };
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

/** The share of open files for connections; the rest is for the data folder and directories. */
const filesOfConnections = 0.75;
