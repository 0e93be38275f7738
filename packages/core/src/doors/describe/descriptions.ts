/**
 * Descriptions of an installation's interface, made from the tables in its own words: OpenRPC, OpenAPI, and the export description files,
 * one for each registered application and one for the core schema.
 */
import type { ServedApplications } from '../../applications/context/call.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { version } from '../../foundation/version.ts';
import type { Names } from '../../table/dialect.ts';
import { coreMethods, MethodTable } from '../manager/methods.ts';
import { OperationTable } from '../web/operations.ts';
import { applicationDescription, coreDescription } from './application-description.ts';
import { openapi } from './openapi.ts';
import { type OpenRpc, type OpenRpcMethod, openrpc } from './openrpc.ts';

export interface DescribedInstallation {
  readonly applications: ServedApplications;
  readonly names: Names;
  readonly config: Pick<ServiceConfig, 'manager_url' | 'ws_url' | 'schema'>;
}

/** The folder of the description files, below the Manager. */
export const descriptionFolder = 'descriptions';

/** The description file of the core, beside those of applications: no application is called so. */
const coreFile = 'core';

/** Each is made when it is asked for first, and kept: nothing of it changes while the program runs. */
export class Descriptions {
  readonly #makers: ReadonlyMap<string, () => object>;
  readonly #made = new Map<string, string>();
  readonly #describeMethods: () => OpenRpc;
  #methods: OpenRpc | undefined;

  constructor({ applications, names, config }: DescribedInstallation) {
    const methods = () => new MethodTable(applications, names);
    const operations = () => new OperationTable(applications, names);
    this.#describeMethods = () => openrpc(methods(), { version, url: `${config.manager_url}/manag/` });
    const ofApplications = Object.values(applications).map((application) => {
      const name = names.theirs(application.name);
      const make = () =>
        applicationDescription({
          ...{ application, name, version, names },
          service: operations().services.find((service) => service.application === application),
          methods: this.#methodsOf((method) => method.startsWith(`${name}.`)),
        });
      return [`${descriptionFolder}/${name}.json`, make] as const;
    });
    const core = () => {
      const own = this.#methodsOf((name) => Object.hasOwn(coreMethods, name));
      return coreDescription({ methods: own, schema: config.schema, version });
    };
    this.#makers = new Map<string, () => object>([
      ['openrpc.json', () => this.openrpc()],
      ['openapi.json', () => openapi(operations(), { version, url: config.ws_url })],
      [`${descriptionFolder}/${coreFile}.json`, core],
      ...ofApplications,
    ]);
  }

  #methodsOf(isWanted: (name: string) => boolean): readonly OpenRpcMethod[] {
    return this.openrpc().methods.filter(({ name }) => isWanted(name));
  }

  /** Paths of all of them. */
  get paths(): readonly string[] {
    return [...this.#makers.keys()];
  }

  /** The text of one, JSON; undefined: there is none there. */
  file(path: string): string | undefined {
    const known = this.#made.get(path);
    const make = known === undefined ? this.#makers.get(path) : undefined;
    if (!make) return known;
    const text = `${JSON.stringify(make(), null, 2)}\n`;
    this.#made.set(path, text);
    return text;
  }

  /** Returns the answer of `rpc.discover` (OpenRPC 1.3.2, Service Discovery Method). */
  openrpc(): OpenRpc {
    this.#methods ??= this.#describeMethods();
    return this.#methods;
  }
}
