/** The configuration and the service, where nobody says otherwise: with the applications that come with it. */
import { bundled } from './applications.ts';
import type { ServedApplications } from './calls/call.ts';
import {
  configJsonSchema as jsonSchemaOf,
  readServiceConfig as readServiceWith,
  readConfig as readWith,
  type ServerConfig,
  type ServiceConfig,
  type ServiceConfigInput,
} from './config/config.ts';
import type { SchemaNode } from './config/schema-node.ts';
import type { Ports } from './engines.ts';
import { vocabularyOf } from './manager/vocabulary.ts';
import { createService as createServiceOf, type Service } from './service.ts';

/** @throws ConfigError with every problem found */
export function readServiceConfig(raw: unknown, vocabulary = vocabularyOf(bundled)): ServiceConfig {
  return readServiceWith(raw, vocabulary);
}

/** @throws ConfigError with every problem found */
export function readConfig(raw: unknown, vocabulary = vocabularyOf(bundled)): ServerConfig {
  return readWith(raw, vocabulary);
}

/** The JSON Schema (2020-12) of a server's configuration file, for editors and the reference. */
export function configJsonSchema(vocabulary = vocabularyOf(bundled)): SchemaNode {
  return jsonSchemaOf(vocabulary);
}

/**
 * Makes the service.
 * @param config the settings of `docs/reference/settings.md` that are not a server's
 * @param ports the engines; the service closes them
 * @param applications by their names, those of one's own among them; left out: those that come with it
 * @throws ConfigError if the configuration is not one; StartError if the licence is another installation's, or if an
 * application does not fit with the others
 */
export function createService(config: ServiceConfigInput, ports: Ports): Service;
export function createService<const A extends ServedApplications>(
  config: ServiceConfigInput,
  ports: Ports,
  applications: A,
): Service<A>;
export function createService(
  config: ServiceConfigInput,
  ports: Ports,
  applications: ServedApplications = bundled,
): Service<ServedApplications> {
  return createServiceOf(config, ports, applications);
}
