/** List_Config, Get_Config, Set_Config, Config_History, Restore_Config: the settings of the installation in their layers, and their changes. */
import type { ServiceConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/problems.ts';
import {
  type ConfigSettings,
  canChangeAtRunTime,
  changedSettings,
  mergeLayers,
  mergePatch,
  runtimeProblems,
  sensitiveNames,
  withoutSecrets,
} from '../../config/runtime-settings.ts';
import { isMap, type SchemaNode } from '../../config/schema-node.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { RuntimeConfiguration } from '../../ports/runtime-configuration.ts';
import type { Ledger } from '../../ports/store/ledger.ts';
import type { Transaction } from '../../table/method.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';
import {
  type ConfigVersion,
  currentNumber,
  listVersions,
  putVersion,
  readCurrent,
  readVersion,
} from './versions.ts';

/** The context of an administrator who looks at the configuration, or changes it. */
export interface ConfigurationContext {
  readonly administrator: Dn;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin' | 'isFree'>;
  readonly transaction: Pick<Transaction, 'client'>;
  readonly configuration?: RuntimeConfiguration | undefined;
  readonly config: Pick<ServiceConfig, 'admin_auth' | 'manager_auth'>;
  readonly store: Ledger;
  readonly keys: KeyRing;
  readonly clock: Clock;
  /** Returns when the session of the call began, in milliseconds since 1970; undefined for a call without one. */
  readonly sessionBegan: () => Promise<number | undefined>;
}

/** A setting of the installation. */
export interface ListedSetting {
  readonly name: string;
  /** The group in the reference. */
  readonly group: string;
  readonly description: string;
  /** The layer of the value in force; `both` for a map of which each layer has some entries. */
  readonly layer: 'preset' | 'file' | 'runtime' | 'both';
  /** Whether `Set_Config` may change it. */
  readonly changeable: boolean;
  /** The value in force without secrets, or the preset; undefined for none. */
  readonly value: unknown;
  readonly schema: SchemaNode;
}

/** The configuration as one version has it. */
export interface ShownConfiguration extends Pick<ConfigVersion, 'number'> {
  /** The settings at run time, without secrets. */
  readonly settings: unknown;
  /** The settings of the file, without secrets. */
  readonly file: unknown;
}

/** The outcome of a change. */
export interface ConfigChange {
  readonly number: number;
  /** The paths of changed settings. */
  readonly changed: readonly string[];
}

const todo = 'see and change the configuration';

/** Lists every setting with the layer that it comes from. @throws ServiceError `permission_denied`, `unavailable` */
export function listSettings(call: ConfigurationContext): readonly ListedSetting[] {
  assertSuperAdmin(call, todo);
  const { file, runtime, schema } = layersOf(call);
  const all = mergeLayers(file, runtime);
  const properties = isMap(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([name, node]) => {
    if (!isSchemaNode(node)) return [];
    const { group = '', description = '' } = node;
    return {
      ...{ name, group, description, schema: node },
      layer: layerOf(file[name], runtime[name]),
      changeable: canChangeAtRunTime(name),
      value: withoutSecrets(all[name] ?? node.default),
    };
  });
}

const isSchemaNode = (node: unknown): node is SchemaNode => isMap(node);

function layerOf(file: unknown, runtime: unknown): ListedSetting['layer'] {
  if (runtime === undefined) return file === undefined ? 'preset' : 'file';
  if (file === undefined) return 'runtime';
  return isMap(file) && isMap(runtime) ? 'both' : 'file';
}

/** Returns the settings of both layers. @param number of a version; left out: the one in force @throws ServiceError */
export async function getConfiguration(
  number: number | undefined,
  call: ConfigurationContext,
): Promise<ShownConfiguration> {
  assertSuperAdmin(call, todo);
  const { file } = layersOf(call);
  const found = number === undefined ? await readCurrent(call) : await existing(number, call);
  return {
    number: found.number,
    settings: withoutSecrets(found.settings),
    file: withoutSecrets(file),
  };
}

/** Lists the versions, the newest first. @throws ServiceError `permission_denied`, `unavailable` */
export async function configurationHistory(
  call: ConfigurationContext,
): Promise<readonly Omit<ConfigVersion, 'settings'>[]> {
  assertSuperAdmin(call, todo);
  return listVersions(call);
}

/**
 * Changes settings at run time by a JSON Merge Patch (RFC 7396).
 * @param seen the version that the caller has seen; left out: the one in force
 * @throws ServiceError `permission_denied`; `invalid_params` with every problem; `insufficient_user_authentication`; `already_exists`
 *   where another change came first; `too_large`; `unavailable`
 */
export async function setConfiguration(
  {
    patch,
    seen,
    comment,
  }: { readonly patch: ConfigSettings; readonly seen?: number | undefined; readonly comment: string },
  call: ConfigurationContext,
): Promise<ConfigChange> {
  assertChanges(call);
  const before = await readCurrent(call);
  if (seen !== undefined && seen !== before.number) throw changedMeanwhile(before.number);
  const patched = mergePatch(before.settings, patch);
  return change({ before, settings: isMap(patched) ? patched : {}, comment }, call);
}

/** Puts the settings of an earlier version in force again, as a new version. @throws ServiceError as {@link setConfiguration}; `not_found` */
export async function restoreConfiguration(
  number: number,
  call: ConfigurationContext,
): Promise<ConfigChange> {
  assertChanges(call);
  const before = await readCurrent(call);
  const settings = number === 0 ? {} : (await existing(number, call)).settings;
  return change({ before, settings, comment: `version ${number} restored` }, call);
}

interface Wanted {
  readonly before: Pick<ConfigVersion, 'number' | 'settings'>;
  readonly settings: ConfigSettings;
  readonly comment: string;
}

async function change(
  { before, settings, comment }: Wanted,
  call: ConfigurationContext,
): Promise<ConfigChange> {
  const changed = changedSettings(before.settings, settings);
  if (changed.length === 0) return { number: before.number, changed };
  const problems = runtimeProblems(settings);
  if (problems.length > 0) throw refused(new ConfigError(problems));
  if (sensitiveNames(before.settings, settings).length > 0) await assertFreshFactor(call);
  const { configuration, administrator, transaction } = call;
  const address = addressIn(transaction.client);
  await configuration?.check(settings, { administrator, address }).catch((error: unknown) => {
    throw error instanceof StartError ? refused(error) : error;
  });
  const author = administrator.format();
  const number = await putVersion({ author, comment, changed, settings }, before.number, call);
  return { number, changed };
}

const refused = (error: StartError): ServiceError =>
  new ServiceError('invalid_params', { detail: error.message, cause: error });

const changedMeanwhile = (number: number): ServiceError =>
  new ServiceError('already_exists', {
    detail: `version ${number} of the configuration is in force; read it, and repeat the change`,
  });

/**
 * Returns the configuration to a caller that may change it. An administrator whom an option set restricts could give itself what it may not
 * do.
 * @throws ServiceError `permission_denied`, `unavailable`
 */
export function assertChanges(call: ConfigurationContext): RuntimeConfiguration {
  assertSuperAdmin(call, todo);
  if (!call.rights.isFree)
    throw new ServiceError('permission_denied', { detail: 'an option set restricts you' });
  return layersOf(call);
}

function layersOf({ configuration }: ConfigurationContext): RuntimeConfiguration {
  if (configuration) return configuration;
  throw new ServiceError('unavailable', {
    detail: 'this service was started by a program, which has its configuration',
  });
}

async function existing(number: number, call: ConfigurationContext): Promise<ConfigVersion> {
  const found = await readVersion(number, call);
  if (found) return found;
  const present = await currentNumber(call);
  throw new ServiceError('not_found', {
    detail: `there is no version ${number} of the configuration; the one in force is ${present}`,
  });
}

/** The sign-in modes of the Admin Portal with a second factor. */
const withSecondFactor: ReadonlySet<string> = new Set(['OTP', 'U2F', 'MFA', 'PKI']);

/** The age in milliseconds up to which a sign-in counts as fresh. */
const freshMilliseconds = 15 * 60_000;

/** @throws ServiceError `insufficient_user_authentication` where the caller has shown no second factor within fifteen minutes */
async function assertFreshFactor({ config, sessionBegan, clock }: ConfigurationContext): Promise<void> {
  const began = await sessionBegan();
  const isFresh =
    began === undefined
      ? config.manager_auth === 'PKI'
      : withSecondFactor.has(config.admin_auth) && clock.now() - began <= freshMilliseconds;
  if (isFresh) return;
  throw new ServiceError('insufficient_user_authentication', {
    detail:
      'who administers, and which callers are trusted, is changed within fifteen minutes of a sign-in with a second factor (admin_auth, or manager_auth: PKI), or in the configuration file',
  });
}

/** Returns the address of `ip:port`; undefined for a call in process. */
const addressIn = (client: string): string | undefined => {
  const end = client.lastIndexOf(':');
  return end < 0 ? undefined : client.slice(0, end);
};
