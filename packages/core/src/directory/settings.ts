/**
 * Settings of users and groups: `App.Name=Value`, one value of `webadmsettings` for each, so that two
 * administrators who set two settings never meet. In force for a user are, weakest first, the application's
 * defaults, those of the user's groups, and the user's own (concepts.md §3).
 */
import type { Setting } from '../application.ts';
import type { Core } from '../core.ts';
import { ServiceError } from '../errors.ts';
import type { Call } from '../method.ts';
import { requireActive } from './activation.ts';
import type { Directory } from './directory.ts';
import type { Dn } from './dn.ts';
import { swapValues } from './swap.ts';
import { findGroups, texts } from './user.ts';

export type Settings = ReadonlyMap<string, string>;

/** Set_User_Settings: merged into what is set; null removes. @throws ServiceError `invalid_params` */
export async function setSettings(
  dn: Dn,
  wanted: ReadonlyMap<string, string | boolean | null>,
  call: Call,
): Promise<void> {
  const changes = new Map(Array.from(wanted, ([name, value]) => checkSetting(name, value, call.core)));
  await requireActive(dn, call);
  const attribute = call.core.config.schema.settings_attribute;
  await swapValues(call.directory, { dn, attribute }, (values) => mergeSettings(values, changes));
}

/** Get_User_Settings: what is in force for this user, all of it or the names asked for. */
export async function settingsInForce(
  dn: Dn,
  names: readonly string[] | undefined,
  call: Call,
): Promise<Settings> {
  await requireActive(dn, call);
  const { core, directory } = call;
  const base = core.domains.containing(dn)[0]?.base;
  const groups = base ? await findGroups(directory, dn, { base, roles: core.config.schema }) : [];
  const layers = [presetSettings(core)];
  for (const holder of [...groups, dn]) layers.push(await ownSettings(directory, holder, core));
  const inForce = new Map(layers.flatMap((layer) => [...layer]));
  return outward(names ? pick(inForce, names, core) : inForce, core);
}

function pick(settings: Settings, names: readonly string[], core: Core): Settings {
  const wanted = new Set(names.map((name) => core.names.oursDotted(name)));
  return new Map([...settings].filter(([name]) => wanted.has(name)));
}

const outward = (settings: Settings, core: Core): Settings =>
  new Map(Array.from(settings, ([name, value]) => [core.names.theirsDotted(name), value]));

/** The application defaults as the installation overrides them. */
export function presetSettings(core: Core): Settings {
  const presets = new Map<string, string>();
  for (const { name, settings } of Object.values(core.applications)) {
    for (const [key, setting] of Object.entries(settings)) {
      if (setting.default !== undefined) presets.set(`${name}.${key}`, setting.default);
    }
  }
  for (const [name, value] of Object.entries(core.config.settings)) {
    const [key, text] = checkSetting(name, value, core);
    if (text !== null) presets.set(key, text);
  }
  return presets;
}

/** What is set on one entry; a group that cannot be read has none. */
async function ownSettings(directory: Directory, dn: Dn, core: Core): Promise<Settings> {
  const attribute = core.config.schema.settings_attribute;
  const entry = await directory.read(dn, [attribute]);
  const pairs = entry ? texts(entry, attribute).flatMap(parseSettings) : [];
  return new Map(pairs.map(([name, value]) => [core.names.oursDotted(name), value]));
}

/** The setting's full name in our words and its value as it is stored. */
function checkSetting(
  name: string,
  value: string | boolean | null,
  core: Core,
): readonly [string, string | null] {
  const ours = core.names.oursDotted(name);
  const [application = '', key = ''] = ours.split('.', 2);
  const row = Object.hasOwn(core.applications, application) ? core.applications[application] : undefined;
  const setting = row && Object.hasOwn(row.settings, key) ? row.settings[key] : undefined;
  if (!setting || ours !== `${application}.${key}`) {
    throw new ServiceError('invalid_params', {
      detail: `Parameter settings: there is no setting '${name.slice(0, 64)}'`,
    });
  }
  return [ours, value === null ? null : checkValue(ours, value, setting)];
}

function checkValue(name: string, value: string | boolean, { type }: Setting): string {
  const text = typeof value === 'boolean' ? (value ? 'Yes' : 'No') : value;
  const wrong = (wanted: string) =>
    new ServiceError('invalid_params', { detail: `Parameter settings: ${name} is not ${wanted}` });
  if (type.kind === 'boolean') {
    const yes = /^(?:yes|true|1)$/i.test(text);
    if (!yes && !/^(?:no|false|0)$/i.test(text)) throw wrong('Yes or No');
    return yes ? 'Yes' : 'No';
  }
  if (type.kind === 'integer' && !/^[0-9]{1,9}$/.test(text)) throw wrong('a non-negative integer');
  if (type.kind === 'word' && !type.words.includes(text)) throw wrong(`one of ${type.words.join(', ')}`);
  if (text === '' || text.length > 4096) throw wrong('a text of 1 to 4096 characters');
  return text;
}

/** The values of the attribute with the changes in them; those that hold nothing changed stay as they are. */
function mergeSettings(
  values: readonly string[],
  changes: ReadonlyMap<string, string | null>,
): readonly string[] {
  const kept = values.flatMap((value) => {
    const pairs = parseSettings(value);
    const staying = pairs.filter(([name]) => !changes.has(name));
    return staying.length === pairs.length ? [value] : staying.map(formatSetting);
  });
  const set = [...changes].flatMap(([name, value]) => (value === null ? [] : [formatSetting([name, value])]));
  return [...new Set([...kept, ...set])];
}

/** Entries written by others may hold several settings in one value, with commas between them. */
function parseSettings(value: string): readonly (readonly [string, string])[] {
  return value.split(/,(?=[A-Za-z][A-Za-z0-9]*\.[A-Za-z0-9]+=)/).flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 ? [[pair.slice(0, equals).trim(), unescapeValue(pair.slice(equals + 1))] as const] : [];
  });
}

/** A comma would end the value for readers who expect several in one; it is written `\2C`. */
function formatSetting([name, value]: readonly [string, string]): string {
  return `${name}=${value.replace(/[\\,]/g, (c) => `\\${c.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

function unescapeValue(text: string): string {
  return text.replace(/\\([0-9A-Fa-f]{2})/g, (_, pair: string) =>
    String.fromCharCode(Number.parseInt(pair, 16)),
  );
}
