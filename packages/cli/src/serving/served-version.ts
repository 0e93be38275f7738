/** A service by one version of the configuration, with the handlers of its servers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerConfig, Service } from '@watchword/core';
import type { ServedApplications } from '@watchword/core/operator';
import type { Engines } from '@watchword/core/ports';
import { behindProxies } from '@watchword/node/http';
import type { ServerCommand } from '../program.ts';

type Handled = ReturnType<typeof behindProxies>;

/** The handlers of the servers, which are made for each version. */
export type HandlerMakers = ReadonlyMap<ServerCommand['server'], ReturnType<ServerCommand['prepare']>>;

interface Parts<A extends ServedApplications> {
  readonly handlers: HandlerMakers;
  readonly service: Service<A>;
}

/** The time in milliseconds for requests under way to end before their service retires; a login by phone waits for a minute. */
const longestRequest = 90_000;
const pollInterval = 20;

export class ServedVersion<A extends ServedApplications = ServedApplications> {
  readonly config: ServerConfig;
  readonly engines: Engines;
  readonly service: Service<A>;
  readonly #handlers: HandlerMakers;
  #underWay = 0;
  /** The version of the settings at run time; undefined: they are not compared. */
  #number: string | undefined;

  constructor(config: ServerConfig, engines: Engines, { handlers, service }: Parts<A>) {
    this.config = config;
    this.engines = engines;
    this.service = service;
    this.#handlers = handlers;
    this.#number = engines.configuration?.version;
  }

  /** Creates the handler of a server. @param ca authorities of client certificates, PEM */
  handlerOf(server: ServerCommand['server'], ca: string | undefined): Pick<Handled, 'direct'> {
    const { config, engines, service } = this;
    const make = this.#handlers.get(server);
    if (!make) throw new RangeError(`no command serves ${server}`);
    const { clock, log } = engines;
    const { reverse_proxies: proxies, proxy_headers: headers } = config;
    return behindProxies(make(service, config), { proxies, headers, ca, clock, log });
  }

  /** Serves on although a later version is in force, which cannot be served. */
  keepUnder(number: string): void {
    this.#number = number;
  }

  /**
   * Runs a request, which counts as under way until it ends.
   * @throws OtherVersion where other settings at run time are in force; nothing was done then
   */
  async during<T>(answer: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      const { patience } = this.engines;
      return await (patience ? patience.during(answer, this.#number) : answer());
    } finally {
      this.#underWay -= 1;
    }
  }

  /**
   * Retires the service after its last request, and closes its directory where the next engines have another one.
   * @param next the engines that stay open
   */
  async retire(next: Pick<Engines, 'directory'>): Promise<void> {
    const { clock, directory } = this.engines;
    const latest = clock.now() + longestRequest;
    while (this.#underWay > 0 && clock.now() < latest) await sleep(pollInterval);
    await this.service.retire();
    if (directory !== next.directory) await directory.close();
  }
}
