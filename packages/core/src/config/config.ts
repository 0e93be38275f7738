/**
 * The configuration as the program sees it. {@link readConfig} reads what the bundled servers need,
 * {@link readServiceConfig} the part that `createService` needs; both take plain data (from YAML, or a literal
 * in an embedding program), accept their own result again, and throw a {@link ConfigError} that lists every
 * problem with its cure. The settings: `config/settings.ts`; rules between them: `config/rules.ts`. Which applications
 * there are it is told by a {@link Vocabulary}.
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
export type { ApplicationWords, Vocabulary } from './vocabulary.ts';

/** What reading with a schema gives. */
type Read<Made extends () => z.ZodType> = z.output<ReturnType<Made>>;

/** The mode in which an administrator logs in. */
export type ManagerAuth = Read<typeof managerModes>;

/** How an administrator signs in to the Admin Portal. */
export type PortalAuth = Read<typeof portalModes>;

/** What a role opens. */
export type RoleInterface = (typeof roleInterfaces)[number];

export type DomainConfig = Read<typeof domain> & { readonly login_attributes: readonly string[] };

/** The effect of a client on the login mode (docs/concepts/policies-and-settings.md#client-mode). */
export type ClientMode = (typeof clientModes)[number];

export type RoleConfig = Read<typeof role>;

export type OptionSetConfig = Read<typeof optionSet>;

export type ClientConfig = Read<typeof clientPolicy>;

/** What depends on other settings is filled in when the configuration is read. */
interface Derived {
  readonly manager_auth: ManagerAuth;
  /** How administrators sign in to the Admin Portal. */
  readonly admin_auth: PortalAuth;
  readonly default_domain: string;
  readonly domains: Readonly<Record<string, DomainConfig>>;
  readonly caller_certificates: 'own' | 'any';
  /** Networks whose callers choose the policy of their logins. */
  readonly request_settings: readonly string[];
  /** `https://host:port`, without a slash at the end. */
  readonly ws_url: string;
  /** Which address descriptions of the web services name. */
  readonly wsdl_address: 'ws_url' | 'caller';
  /** `https://host:port`, without a slash at the end. */
  readonly manager_url: string;
}

/** What `createService` needs. */
export type ServiceConfig = Readonly<Omit<Read<typeof serviceSchema>, keyof Derived>> & Derived;

/** What the schema calls things: classes and attributes, as `schema` of the configuration has them. */
export type Schema = ServiceConfig['schema'];

/** What the bundled servers need. Paths are as written; `loadConfig` makes them absolute. */
export type ServerConfig = Readonly<Omit<Read<typeof serverSchema>, keyof Derived | 'keys_file'>> &
  Derived & { readonly keys_file: string };

/** The part of a configuration that `createService` needs, as a program that embeds it writes it. */
export type ServiceConfigInput = z.input<ReturnType<typeof serviceSchema>>;

/** What the bundled servers need, as a file or a program has it. */
export type ServerConfigInput = z.input<ReturnType<typeof serverSchema>>;

/** @throws ConfigError with every problem found */
export function readServiceConfig(raw: unknown, vocabulary: Vocabulary): ServiceConfig {
  const config = check(serviceSchemaOf(vocabulary), raw);
  assertNoProblem(serviceRules(config, vocabulary));
  return { ...config, ...derived(config, usualListeners) };
}

/** @throws ConfigError with every problem found */
export function readConfig(raw: unknown, vocabulary: Vocabulary): ServerConfig {
  const config = check(serverSchemaOf(vocabulary), raw);
  assertNoProblem([...serviceRules(config, vocabulary), ...serverRules(config)]);
  return { ...config, ...derived(config, config), keys_file: config.keys_file ?? `${config.data}/keys` };
}

/** The part of a server's configuration that `createService` takes. */
export function serviceSettings(config: ServerConfig): ServiceConfigInput {
  return serviceSchema().strip().parse(config);
}

const roleMap = weaklyCached((z) => z.strictObject({ roles: z.record(domainName(), role()) }));

/** A role that is made at run time, judged as those of a configuration are. @throws ConfigError with every problem found */
export function readRole(
  name: string,
  row: unknown,
  words: Pick<ConfigWords, 'names' | 'methods' | 'applications'>,
): RoleConfig {
  const { roles } = check(roleMap(), { roles: { [name]: row } });
  assertNoProblem([...unknownMethods(['roles'], roles, words), ...unknownData(['roles'], roles, words)]);
  return role().parse(roles[name]);
}

/** One that was judged when it was made; undefined: this version would not take it any more, or does not yet. */
export function readKeptRole(row: unknown): RoleConfig | undefined {
  return role().safeParse(row).data;
}

/** The JSON Schema (2020-12) of a server's configuration file, for editors and the reference. */
export function configJsonSchema(vocabulary: Vocabulary): SchemaNode {
  return zod().toJSONSchema(serverSchemaOf(vocabulary), {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'array') jsonSchema.type = ['array', 'string']; // `"a", "b"`
    },
  });
}

/** The schema without leave for text lists: lists are lists by the time it is walked. */
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

/** Of a program that embeds the service and says nothing: as those of the bundled servers. */
const usualListeners: Listeners = {
  manager: { host: 'localhost', port: ports.manager },
  ws: { host: 'localhost', port: ports.ws },
};

/** A host that nobody else can call, such as loopback or "all addresses", becomes `localhost`. */
function addressOf({ host, port }: Listener): string {
  const isOwn = /^(?:127\..*|::1|0\.0\.0\.0|::|.*%.*)$/.test(host);
  const address = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return new URL(!isOwn && URL.canParse(address) ? address : `https://localhost:${port}`).origin;
}

/** Loopback and private networks (RFC 1918, RFC 4193): where systems in the field are that show nothing. */
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
