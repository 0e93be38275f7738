/** The configuration as it is read where nobody says otherwise: with the applications that come with it. */
import { bundled } from './applications.ts';
import {
  configJsonSchema as jsonSchemaOf,
  readServiceConfig as readServiceWith,
  readConfig as readWith,
  type ServerConfig,
  type ServiceConfig,
} from './config/config.ts';
import type { SchemaNode } from './config/schema-node.ts';
import { vocabularyOf } from './manager/vocabulary.ts';

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
