/**
 * Settings of users and groups: `App.Name=Value`, one value of `webadmsettings` for each, so that two
 * administrators who set two settings never meet. They are written in the installation's words, as neighbours read
 * them, and read in ours too. In force for a user are, weakest first, the application's
 * defaults, those of the user's groups, and the user's own (docs/concepts/policies-and-settings.md#layers).
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
import { tellDoubt } from './setting-doubt.ts';
import { formatSetting, parseSettings } from './settings-text.ts';
import { swapValues } from './swap.ts';

/** Set_User_Settings: merged into what is set; null removes. @throws ServiceError `invalid_params` */
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

/** A setting that was judged, in our words, and its value as it is stored; null: it is removed. */
export interface CheckedSetting {
  readonly name: string;
  readonly text: string | null;
  readonly warning?: string | undefined;
}

/**
 * Judges settings that are to be on an entry, whoever sets them and by whichever method.
 * @throws ServiceError `invalid_params` for one that is none, has such a value, or that entries do not set
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
 * Judges values that are written to the attribute itself, as {@link setSettings} judges its settings. What was there before is
 * not judged.
 * @param written the values that the entry would have
 * @throws ServiceError `invalid_params`
 */
export function checkWritten(
  written: readonly string[],
  before: readonly string[],
  core: Words,
): readonly CheckedSetting[] {
  const none = written.find((value) => !before.includes(value) && parseSettings(value, core).length === 0);
  if (none !== undefined) throw wrongSetting(`'${none.slice(0, 64)}' is no setting and its value`);
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

/** Says of what was stored, in the log and to the caller, that it has no effect. */
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

/** Where it is said that what was stored has no effect. */
export interface WarningView {
  readonly log: Pick<Log, 'warn'>;
  /** For the caller. */
  readonly warnings: string[];
}

/** Get_User_Settings: what is in force for this user, all of it or the names asked for. */
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
  /** The groups of the user, in whose order their settings count. */
  readonly groups: readonly Dn[];
  /** Those of the groups and then the user's own, weakest first, in our words. */
  readonly layers: readonly Settings[];
}

/**
 * What is in force does not depend on who asks: the groups are read by the service.
 * @param entry the user, read with the settings attribute and {@link memberAttributes}
 */
export async function settingLayers(entry: Entry, view: LayerView): Promise<SettingLayers> {
  const groups = await view.memberships.of(entry);
  return {
    groups: groups.map((group) => Dn.parse(group.dn)),
    layers: [...(await groupLayers(groups, entry, view)), settingsOf(entry, view)],
  };
}

/** The layers of groups as they count for one user: for an administrator, none below the presets. */
async function groupLayers(
  groups: readonly Entry[],
  user: Entry,
  view: LayerView,
): Promise<readonly Settings[]> {
  const written = groups.map((group) => settingsOf(group, view));
  const above = written.map((layer) => aboveFloor(layer, view));
  // Most groups lower nothing: nobody is asked then who the user is.
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
  /** The client's policy asks for the groups of users. */
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

/** The application defaults as the installation overrides them: `presets` of the core. */
export const presetSettings = (core: PresetWords): Settings => overlay(presetLayers(core));

export interface PresetWords extends Words {
  readonly config: Pick<ServiceConfig, 'settings'>;
}

/** The defaults of the applications, and what the installation has instead of some of them. */
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
 * What is set on one entry, in our words: `no`, as others may write it, is `No`. What is no value of its setting is
 * treated as {@link acceptSetting} says, and the log tells whose it is and which.
 */
function settingsOf(entry: Entry, core: SettingWords): Settings {
  const values = texts(entry, core.config.schema.settings_attribute);
  if (values.length === 0) return noSettings;
  const written = inForce(values, core);
  return new Map(
    [...written].flatMap(([name, value]) => {
      if (isOfAll(name, core)) return [];
      const { text, wrong } = acceptSetting(core.applications, name, value);
      if (wrong !== undefined) tellDoubt({ dn: entry.dn, name, value, wrong, text }, core.log);
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

const noSettings: Settings = new Map();

/** No entry has it, whatever others have written there. */
const isOfAll = (name: string, { applications }: Pick<Words, 'applications'>): boolean =>
  findSetting(applications, name)?.withheld === 'entry';

/** Of what is written of one setting, what counts: in the installation's word before ours, the last before others. */
function inForce(values: readonly string[], core: Words): ReadonlyMap<string, string> {
  const all = values.flatMap((value) => parseSettings(value, core));
  const theirsLast = [...all.filter(({ isTheirs }) => !isTheirs), ...all.filter(({ isTheirs }) => isTheirs)];
  return new Map(theirsLast.map(({ name, value }) => [name, value]));
}

/** The setting's full name in our words and its value as it is stored. */
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
 * The values of the attribute with the changes in them. What an earlier configuration wrote in another word is written
 * anew, so that no setting stands there in two; a value in which nothing changes stays as it is.
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

/** What stood on the entry before in the wrong order is no reason to refuse a change of something else. */
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
