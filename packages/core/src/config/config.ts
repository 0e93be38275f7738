/**
 * The configuration. {@link readConfig} reads that of the bundled servers, {@link readServiceConfig} the part for `createService`. Both take
 * plain data, and accept their own result again. Settings are in `config/settings.ts`, rules between them in `config/rules.ts`.
 */
import { isIPv6 } from 'node:net';
import type { z } from 'zod';
import { weaklyCached, zod } from '../table/schema/zod.ts';
import { unknownData, unknownMethods } from './method-patterns.ts';
import { normalise } from './normal.ts';
import { ConfigError, type ConfigProblem, problemsOf } from './problems.ts';
import { type ConfigWords, sameName } from './references.ts';
import { serverRules, serviceRules } from './rules.ts';
import type { SchemaNode } from './schema-node.ts';
import type { managerModes, portalModes } from './sections/administrators.ts';
import type { clientModes, clientPolicy } from './sections/client-policy.ts';
import type { domain } from './sections/directories.ts';
import { ports } from './sections/interfaces.ts';
import { type optionSet, role, type roleInterfaces } from './sections/roles.ts';
import { domainName } from './sections/types.ts';
import { type serverSchema, serverSchemaOf, serviceSchema, serviceSchemaOf } from './settings.ts';
import type { Vocabulary } from './vocabulary.ts';

export { ConfigError, type ConfigProblem } from './problems.ts';
export type { ApplicationVocabulary, Vocabulary } from './vocabulary.ts';

/** The result of reading with a schema. */
type Read<Made extends () => z.ZodType> = z.output<ReturnType<Made>>;

/** The mode in which an administrator logs in. */
export type ManagerAuth = Read<typeof managerModes>;

/** The mode in which an administrator signs in to the Admin Portal. */
export type PortalAuth = Read<typeof portalModes>;

/** An interface that a role opens. */
export type RoleInterface = (typeof roleInterfaces)[number];

export type DomainConfig = Read<typeof domain> & { readonly login_attributes: readonly string[] };

/** The effect of a client on the login mode (docs/concepts/policies-and-settings.md#client-mode). */
export type ClientMode = (typeof clientModes)[number];

export type RoleConfig = Read<typeof role>;

export type OptionSetConfig = Read<typeof optionSet>;

export type ClientConfig = Read<typeof clientPolicy>;

/** Settings whose defaults depend on other settings. */
interface Derived {
  readonly manager_auth: ManagerAuth;
  /** The mode in which administrators sign in to the Admin Portal. */
  readonly admin_auth: PortalAuth;
  readonly default_domain: string;
  readonly domains: Readonly<Record<string, DomainConfig>>;
  readonly caller_certificates: 'own' | 'any';
  /** Networks whose callers choose the policy of their logins. */
  readonly request_settings: readonly string[];
  /** `https://host:port`, without a trailing slash. */
  readonly ws_url: string;
  /** The address in descriptions of the web services. */
  readonly wsdl_address: 'ws_url' | 'caller';
  /** `https://host:port`, without a trailing slash. */
  readonly manager_url: string;
}

/** The configuration of `createService`. */
export type ServiceConfig = Readonly<Omit<Read<typeof serviceSchema>, keyof Derived>> & Derived;

/** Classes and attributes of the directory, from `schema` of the configuration. */
export type Schema = ServiceConfig['schema'];

/** The configuration of the bundled servers. Paths are as written; `loadConfig` makes them absolute. */
export type ServerConfig = Readonly<Omit<Read<typeof serverSchema>, keyof Derived | 'keys_file'>> &
  Derived & { readonly keys_file: string };

/** The configuration of `createService` as an embedding program writes it. */
export type ServiceConfigInput = z.input<ReturnType<typeof serviceSchema>>;

/** The configuration of the bundled servers as a file or a program writes it. */
export type ServerConfigInput = z.input<ReturnType<typeof serverSchema>>;

/** Reads the configuration of a service. @throws ConfigError with every problem and its cure */
export function readServiceConfig(raw: unknown, vocabulary: Vocabulary): ServiceConfig {
  const config = check(serviceSchemaOf(vocabulary), raw);
  assertNoProblem(serviceRules(config, vocabulary));
  return { ...config, ...derived(config, usualListeners) };
}

/** Reads the configuration of a bundled server. @throws ConfigError with every problem and its cure */
export function readConfig(raw: unknown, vocabulary: Vocabulary): ServerConfig {
  const config = check(serverSchemaOf(vocabulary), raw);
  assertNoProblem([...serviceRules(config, vocabulary), ...serverRules(config)]);
  return { ...config, ...derived(config, config), keys_file: config.keys_file ?? `${config.data}/keys` };
}

/**
 * Returns the part of a server's configuration for `createService`.
 * @param config the configuration that `readConfig` returned
 * @returns the settings that are not a server's
 * @see docs/concepts/policies-and-settings.md#installation-settings
 * @example
 * ```ts
 * import { readConfig, serviceSettings } from '@watchword/core';
 *
 * const base = 'dc=example,dc=org';
 * const config = readConfig({ directory: { type: 'embedded', base }, domains: { Default: { base } } });
 * console.log('manager' in config, 'manager' in serviceSettings(config)); // true false
 * ```
 */
export function serviceSettings(config: ServerConfig): ServiceConfigInput {
  return serviceSchema().strip().parse(config);
}

const roleMap = weaklyCached((z) => z.strictObject({ roles: z.record(domainName(), role()) }));

/** Reads a role that is made at run time, by the rules of the configuration. @throws ConfigError with every problem found */
export function readRole(
  name: string,
  row: unknown,
  words: Pick<ConfigWords, 'names' | 'methods' | 'applications'>,
): RoleConfig {
  const { roles } = check(roleMap(), { roles: { [name]: row } });
  assertNoProblem([...unknownMethods(['roles'], roles, words), ...unknownData(['roles'], roles, words)]);
  return role().parse(roles[name]);
}

/** Reads a stored role; undefined where another version has written it in a form that is invalid now. */
export function readKeptRole(row: unknown): RoleConfig | undefined {
  return role().safeParse(row).data;
}

/** Returns the JSON Schema (2020-12) of a server's configuration file, for editors and the reference. */
export function configJsonSchema(vocabulary: Vocabulary): SchemaNode {
  return zod().toJSONSchema(serverSchemaOf(vocabulary), {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'array') jsonSchema.type = ['array', 'string']; // `"a", "b"`
    },
  });
}

/** Returns the schema for walking, after lists in text form have become lists. */
function schemaNode(schema: z.ZodType): SchemaNode {
  const node = nodes.get(schema) ?? zod().toJSONSchema(schema, { io: 'input' });
  nodes.set(schema, node);
  return node;
}

const nodes = new WeakMap<z.ZodType, SchemaNode>();

function check<T extends z.ZodType>(schema: T, raw: unknown): z.output<T> {
  const node = schemaNode(schema);
  const value = normalise(raw, node);
  const result = schema.safeParse(value);
  if (!result.success) throw new ConfigError(problemsOf(result.error.issues, { value, schema: node }));
  return result.data;
}

function assertNoProblem(problems: readonly ConfigProblem[]): void {
  if (problems.length > 0) throw new ConfigError(problems);
}

interface Listener {
  readonly host: string;
  readonly port: number;
}

interface Listeners {
  readonly manager: Listener;
  readonly ws: Listener & { readonly client_ca?: string | undefined };
}

/** The default listeners of an embedding program: those of the bundled servers. */
const usualListeners: Listeners = {
  manager: { host: 'localhost', port: ports.manager },
  ws: { host: 'localhost', port: ports.ws },
};

/** Returns the address of a listener; loopback and "all addresses" become `localhost`. */
function addressOf({ host, port }: Listener): string {
  const isOwn = /^(?:127\..*|::1|0\.0\.0\.0|::|.*%.*)$/.test(host);
  const address = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return new URL(!isOwn && URL.canParse(address) ? address : `https://localhost:${port}`).origin;
}

/** Loopback and private networks (RFC 1918, RFC 4193), from where unidentified systems in the field call. */
const nearNetworks = [
  ...['127.0.0.0/8', '::1'],
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
];

function derived(config: Read<typeof serviceSchema>, { manager, ws }: Listeners): Derived {
  const names = Object.keys(config.domains);
  const byDefault = config.schema.login_attributes;
  return {
    manager_auth: config.manager_auth ?? config.auth_mode ?? 'UID',
    admin_auth: config.admin_auth ?? config.auth_mode ?? config.manager_auth ?? 'UID',
    default_domain: sameName(names, config.default_domain ?? 'Default') ?? names[0] ?? 'Default',
    domains: Object.fromEntries(
      Object.entries(config.domains).map(([name, { login_attributes = byDefault, ...rest }]) => [
        name,
        { ...rest, login_attributes },
      ]),
    ),
    request_settings: config.request_settings ?? (config.dialect === 'deployed' ? nearNetworks : []),
    caller_certificates: config.caller_certificates ?? (ws.client_ca === undefined ? 'own' : 'any'),
    ws_url: config.ws_url ?? addressOf(ws),
    wsdl_address: config.wsdl_address ?? (config.ws_url === undefined ? 'caller' : 'ws_url'),
    manager_url: config.manager_url ?? addressOf(manager),
  };
}
