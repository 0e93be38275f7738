/** Policies of web services: whether a service is enabled, and which credentials callers need. */
import type { ServiceConfig } from '../../config/config.ts';
import type { Names } from '../../table/dialect.ts';

export interface ServicePolicy {
  readonly enabled: boolean;
  readonly require: 'none' | 'api_key' | 'certificate' | 'either';
  readonly defaultDomain: string | undefined;
}

const preset: ServicePolicy = { enabled: true, require: 'none', defaultDomain: undefined };

export class ServicePolicies {
  readonly #byWord: ReadonlyMap<string, ServicePolicy>;
  readonly #names: Names;

  constructor({ config, names }: { config: Pick<ServiceConfig, 'websrvs'>; names: Names }) {
    this.#names = names;
    this.#byWord = new Map(
      Object.entries(config.websrvs).map(([word, { enabled, require, default_domain }]) => [
        names.ours(word),
        { enabled, require, defaultDomain: default_domain },
      ]),
    );
  }

  /** @param service our word or the installation's; what is not configured is open to all */
  find(service: string): ServicePolicy {
    return this.#byWord.get(this.#names.ours(service)) ?? preset;
  }
}
