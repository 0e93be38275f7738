/**
 * Settings of users and groups: `App.Name=Value`, each a value of `webadmsettings`, so that changes of different settings do not conflict.
 * They are written in the installation's words, and read in ours, too. Layers: docs/concepts/policies-and-settings.md#layers.
 */

import type { ServiceConfig } from '../../config/config.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Capabilities, Entry } from '../../ports/directory/directory.ts';
import type { Log } from '../../ports/log/log.ts';
import type { AskedTexts } from '../../table/schema/index.ts';
import { acceptSetting, findSetting, readSetting, wrongOrder } from '../../table/setting.ts';
import { readActive } from '../entry/active.ts';
import { texts } from '../entry/entry.ts';
import { memberAttributes, namesGroups } from '../entry/group.ts';
import type { EntryView, LayerView, LoginLayerView, SettingWords, Words } from '../view.ts';
import { aboveFloor } from './floor.ts';
import { overlay, type Settings } from './layers.ts';
import { logDoubt } from './setting-doubt.ts';
import { formatSetting, parseSettings } from './settings-text.ts';
import { swapValues } from './swap.ts';

/** Merges settings into the stored ones (`Set_User_Settings`); null removes. @throws ServiceError `invalid_params` */
export async function setSettings(
  dn: Dn,
  wanted: ReadonlyMap<string, string | boolean | null>,
  call: EntryView & Words & WarningView,
): Promise<void> {
  await readActive(dn, [], call);
  const checked = checkSettings([...wanted], call);
  const changes = new Map(checked.map(({ name, text }) => [name, text]));
  const attribute = call.config.schema.settings_attribute;
  await swapValues(
    call.directory,
    { dn, attribute },
    {
      next: (values) => mergeSettings(values, changes, call),
      isSound: (values) => eachOnce(values, call),
    },
  );
  warnOf(checked, dn, call);
}

/** A checked setting in our words, with its stored value; null to remove it. */
export interface CheckedSetting {
  readonly name: string;
  readonly text: string | null;
  readonly warning?: string | undefined;
}

/**
 * Checks settings for an entry.
 * @throws ServiceError `invalid_params` for an unknown setting, an invalid value, or a setting that entries may not have
 */
function checkSettings(
  wanted: readonly (readonly [string, string | boolean | null])[],
  core: Words,
): readonly CheckedSetting[] {
  const checked = wanted.map(([name, value]) => checkSetting(name, value, core));
  const ofAll = checked.find(({ name, text }) => text !== null && isOfAll(name, core));
  if (ofAll) throw wrongSetting(`${core.names.theirsDotted(ofAll.name)} is set by the configuration only`);
  return checked;
}

/**
 * Checks values that are written to the attribute itself, as {@link setSettings} does. Values from before are not checked.
 * @param written the values that the entry would have
 * @throws ServiceError `invalid_params`
 */
export function checkWritten(
  written: readonly string[],
  before: readonly string[],
  core: Words,
): readonly CheckedSetting[] {
  const none = written.find((value) => !before.includes(value) && parseSettings(value, core).length === 0);
  if (none !== undefined) throw wrongSetting(`'${none.slice(0, 64)}' is not a setting with its value`);
  const counting = inForce(written, core);
  const had = inForce(before, core);
  const pairs = written.flatMap((value) => parseSettings(value, core));
  const fresh = pairs.filter(({ name, value }) => had.get(name) !== value);
  const checked = checkSettings(
    fresh.map(({ name, value }) => [name, value] as const),
    core,
  );
  checkOrder(counting, new Map(checked.map(({ name, text }) => [name, text])), core);
  return checked;
}

/** Warns the log and the caller of stored settings without effect. */
export function warnOf(
  checked: readonly CheckedSetting[],
  dn: Dn,
  { names, log, warnings }: Pick<Words, 'names'> & WarningView,
): void {
  for (const { name, warning } of checked) {
    if (warning === undefined) continue;
    log.warn(`a setting was stored, and ${warning}`, { dn: dn.format(), name });
    warnings.push(`${names.theirsDotted(name)} ${warning}`);
  }
}

/** The targets of warnings about settings without effect. */
export interface WarningView {
  readonly log: Pick<Log, 'warn'>;
  /** Warnings for the caller. */
  readonly warnings: string[];
}

/** Reads the settings in force for a user (`Get_User_Settings`), all or by name. */
export async function settingsInForce(
  dn: Dn,
  names: readonly string[] | undefined,
  view: EntryView & LayerView,
): Promise<AskedTexts> {
  const { schema } = view.config;
  const entry = await readActive(dn, [schema.settings_attribute, ...memberAttributes(schema)], view);
  const { layers } = await settingLayers(entry, view);
  const inForce = overlay([view.presets, ...layers]);
  return outward(names ? pick(inForce, names, view) : inForce, view);
}

export interface SettingLayers {
  /** The groups of the user, in the order of their settings. */
  readonly groups: readonly Dn[];
  /** The layers of groups, then the user's own, weakest first, in our words. */
  readonly layers: readonly Settings[];
}

/**
 * Reads the layers of a user. Groups are read by the service, so the result is the same for all callers.
 * @param entry the user, read with the settings attribute and {@link memberAttributes}
 */
export async function settingLayers(entry: Entry, view: LayerView): Promise<SettingLayers> {
  const groups = await view.memberships.of(entry);
  return {
    groups: groups.map((group) => Dn.parse(group.dn)),
    layers: [...(await groupLayers(groups, entry, view)), settingsOf(entry, view)],
  };
}

/** Returns the effective layers of groups: for an administrator none below the presets. */
async function groupLayers(
  groups: readonly Entry[],
  user: Entry,
  view: LayerView,
): Promise<readonly Settings[]> {
  const written = groups.map((group) => settingsOf(group, view));
  const above = written.map((layer) => aboveFloor(layer, view));
  // The check for administrators is made only where a group lowers a setting.
  const someFall = above.some((layer, index) => layer !== written[index]);
  return someFall && (await mayAdminister(user, view)) ? above : written;
}

/** Returns whether a user has administrative rights: also `true` when the directory does not answer. */
async function mayAdminister(user: Entry, view: LayerView): Promise<boolean> {
  try {
    return await view.administrators.isAdministrator(user);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    view.log.warn(
      'the settings of groups that lower the login were left out: the members of roles are unknown',
      {
        ...{ dn: user.dn, error },
      },
    );
    return true;
  }
}

/**
 * Reads {@link settingLayers} for a login. Its groups are searched only if the client's policy asks for them, or if groups may
 * carry settings.
 */
export async function loginLayers(
  entry: Entry,
  { dn, capabilities, needsGroups }: LayersOf,
  view: LoginLayerView,
): Promise<SettingLayers> {
  const { memberships, groupSettings, config } = view;
  let isAsked = needsGroups || memberships.isKnown(entry) || namesGroups(entry, config.schema);
  if (!isAsked)
    for (const base of memberships.basesIn(dn, capabilities)) isAsked ||= await groupSettings.maySome(base);
  if (isAsked) {
    memberships.believe(entry);
    return settingLayers(entry, view);
  }
  const own = settingsOf(entry, view);
  return own === noSettings ? noLayers : { groups: [], layers: [own] };
}

interface LayersOf {
  readonly dn: Dn;
  /** The capabilities of the directory that holds the user. */
  readonly capabilities: Pick<Capabilities, 'base'>;
  /** Whether the client's policy depends on groups. */
  readonly needsGroups: boolean;
}

const noLayers: SettingLayers = { groups: [], layers: [] };

function pick(settings: Settings, names: readonly string[], core: Words): AskedTexts {
  const wanted = names.map((name) => core.names.oursDotted(name));
  const known = wanted.filter((name) => settings.has(name) || findSetting(core.applications, name));
  return new Map(known.map((name) => [name, settings.get(name)]));
}

const outward = (settings: AskedTexts, core: Words): AskedTexts =>
  new Map(Array.from(settings, ([name, value]) => [core.names.theirsDotted(name), value]));

/** The presets of the core: defaults of the applications, overridden by the installation. */
export const presetSettings = (core: PresetWords): Settings => overlay(presetLayers(core));

export interface PresetWords extends Words {
  readonly config: Pick<ServiceConfig, 'settings'>;
}

/** Merges the defaults of the applications with the presets of the installation. */
export function presetLayers(core: PresetWords): readonly [Settings, Settings] {
  const defaults = new Map<string, string>();
  for (const { name, settings } of Object.values(core.applications)) {
    for (const [key, setting] of Object.entries(settings)) {
      if (setting.default !== undefined) defaults.set(`${name}.${key}`, setting.default);
    }
  }
  const installed = new Map<string, string>();
  for (const [name, value] of Object.entries(core.config.settings)) {
    const { name: key, text } = checkSetting(name, value, core);
    if (text !== null) installed.set(key, text);
  }
  return [defaults, installed];
}

/**
 * Reads the settings of an entry, in our words, with normalized values. Invalid values are treated by {@link acceptSetting}, and logged.
 */
function settingsOf(entry: Entry, core: SettingWords): Settings {
  const values = texts(entry, core.config.schema.settings_attribute);
  if (values.length === 0) return noSettings;
  const written = inForce(values, core);
  return new Map(
    [...written].flatMap(([name, value]) => {
      if (isOfAll(name, core)) return [];
      const { text, wrong } = acceptSetting(core.applications, name, value);
      if (wrong !== undefined) logDoubt({ dn: entry.dn, name, value, wrong, text }, core.log);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

const noSettings: Settings = new Map();

/** Returns whether entries may not have a setting: stored values are ignored. */
const isOfAll = (name: string, { applications }: Pick<Words, 'applications'>): boolean =>
  findSetting(applications, name)?.withheld === 'entry';

/** Returns the value that counts among several of a setting: in the installation's word before ours, then the last. */
function inForce(values: readonly string[], core: Words): ReadonlyMap<string, string> {
  const all = values.flatMap((value) => parseSettings(value, core));
  const theirsLast = [...all.filter(({ isTheirs }) => !isTheirs), ...all.filter(({ isTheirs }) => isTheirs)];
  return new Map(theirsLast.map(({ name, value }) => [name, value]));
}

/** Returns the full name of a setting in our words, and its stored value. */
function checkSetting(name: string, value: string | boolean | null, core: Words): CheckedSetting {
  const ours = core.names.oursDotted(name);
  if (!findSetting(core.applications, ours)) throw wrongSetting(`there is no setting '${name.slice(0, 64)}'`);
  if (value === null) return { name: ours, text: null };
  const read = readSetting(core.applications, ours, value);
  if ('wrong' in read) throw wrongSetting(`${name} ${read.wrong}`);
  return { name: ours, ...read };
}

const wrongSetting = (what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter settings: ${what}` });

/**
 * Returns the values of the attribute with changes. A changed setting in another word is rewritten, so that no setting is there twice; other
 * values are unchanged.
 */
function mergeSettings(
  values: readonly string[],
  changes: ReadonlyMap<string, string | null>,
  core: Words,
): readonly string[] {
  const counting = inForce(values, core);
  checkOrder(new Map<string, string | null>([...counting, ...changes]), changes, core);
  const format = (name: string, value: string) => formatSetting(core.names.theirsDotted(name), value);
  const kept = values.flatMap((value) => {
    const pairs = parseSettings(value, core);
    const staying = pairs.filter((pair) => !changes.has(pair.name) && counting.get(pair.name) === pair.value);
    const isAsIs = staying.length === pairs.length && pairs.every(({ isTheirs }) => isTheirs);
    return isAsIs ? [value] : staying.map((pair) => format(pair.name, pair.value));
  });
  const set = [...changes].flatMap(([name, value]) => (value === null ? [] : [format(name, value)]));
  return [...new Set([...kept, ...set])];
}

/** Checks the order of moments, only of changed ones. */
function checkOrder(
  merged: ReadonlyMap<string, string | null>,
  changes: ReadonlyMap<string, string | null>,
  { applications, names }: Words,
): void {
  const order = wrongOrder(applications, { get: (name) => merged.get(name) ?? undefined });
  if (order && (changes.has(order.name) || changes.has(order.after)))
    throw wrongSetting(`${names.theirsDotted(order.name)} ${order.wrong}`);
}

function eachOnce(values: readonly string[], core: Words): boolean {
  const names = values.flatMap((value) => parseSettings(value, core)).map(({ name }) => name);
  return new Set(names).size === names.length;
}
