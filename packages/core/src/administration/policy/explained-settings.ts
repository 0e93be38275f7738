/**
 * The method Explain_User_Settings: which layer a value of a user's setting comes from (docs/concepts/policies-and-settings.md#layers).
 */

import type { Settings } from '../../directory/data/layers.ts';
import { type PresetWords, presetLayers, settingLayers } from '../../directory/data/settings.ts';
import { readActive } from '../../directory/entry/active.ts';
import { memberAttributes } from '../../directory/entry/group.ts';
import type { EntryView, LayerView } from '../../directory/view.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { Directory } from '../../ports/directory/directory.ts';
import { findSetting } from '../../table/setting.ts';
import type { ClientPolicies } from './client-policies.ts';
import type { PolicyLayer } from './configured-policy.ts';

/** The weakest first. */
export const settingLayerNames = [
  'application',
  'installation',
  'group',
  'user',
  'client',
  'client by group',
  'client by network',
] as const;

/** A value, and whose it is. */
export interface StandingSetting {
  readonly value: string;
  readonly layer: (typeof settingLayerNames)[number];
  readonly from: string | null;
}

export interface ExplainedSetting extends StandingSetting {
  /** The strongest first. */
  readonly overridden: readonly StandingSetting[];
  /** Why nothing acts on the setting in this version. Optional; default: it has an effect. */
  readonly unsupported?: string;
}

export interface ExplainingView extends EntryView, LayerView {
  readonly config: LayerView['config'] & PresetWords['config'];
  readonly clients: Pick<ClientPolicies, 'layersFor'>;
}

export interface SettingQuestion {
  /** Settings in our words or the installation's; undefined: all. */
  readonly settings: readonly string[] | undefined;
  readonly client: string | undefined;
  /** The address of the user. */
  readonly source: string | undefined;
}

type Layer = Omit<StandingSetting, 'value'> & { readonly settings: Settings };

/** @throws ServiceError `not_found`; `invalid_params` for a client that is not configured */
export async function explainSettings(
  dn: Dn,
  { settings, client, source }: SettingQuestion,
  view: ExplainingView,
): Promise<ReadonlyMap<string, ExplainedSetting>> {
  const layers = await layersOf(dn, { client, source }, view);
  const wanted = settings && new Set(settings.map((name) => view.names.oursDotted(name)));
  const names = new Set(layers.flatMap(({ settings }) => [...settings.keys()]));
  const asked = [...names].filter((name) => !wanted || wanted.has(name));
  return new Map(
    asked.flatMap((name) => {
      const standing = explain(name, layers);
      if (!standing) return [];
      const because = findSetting(view.applications, name)?.unsupported?.because;
      const explained = because === undefined ? standing : { ...standing, unsupported: because };
      return [[view.names.theirsDotted(name), explained] as const];
    }),
  );
}

function explain(name: string, layers: readonly Layer[]): ExplainedSetting | undefined {
  const all = layers.flatMap(({ settings, ...whose }) => {
    const value = settings.get(name);
    return value === undefined ? [] : [{ value, ...whose }];
  });
  const [strongest, ...overridden] = all.reverse();
  return strongest && { ...strongest, overridden };
}

async function layersOf(
  dn: Dn,
  { client, source }: Omit<SettingQuestion, 'settings'>,
  view: ExplainingView,
): Promise<readonly Layer[]> {
  const { schema } = view.config;
  const entry = await readActive(dn, [schema.settings_attribute, ...memberAttributes(schema)], view);
  const { groups, layers } = await settingLayers(entry, view);
  const [application, installation] = presetLayers(view);
  const ofClient = client === undefined ? [] : view.clients.layersFor(client, { groups, address: source });
  if (!ofClient)
    throw new ServiceError('invalid_params', { detail: 'Parameter client: there is no such client' });
  const ofGroups = groups.map(async (group, index) => ({
    ...({ layer: 'group', from: await nameFor(group, view.directory) } as const),
    settings: layers[index] ?? new Map(),
  }));
  return [
    { layer: 'application', from: null, settings: application },
    { layer: 'installation', from: null, settings: installation },
    ...(await Promise.all(ofGroups)),
    { layer: 'user', from: entry.dn, settings: layers[groups.length] ?? new Map() },
    ...(await Promise.all(ofClient.map((layer) => clientLayer(layer, view.directory)))),
  ];
}

async function clientLayer({ group, ...layer }: PolicyLayer, directory: Directory): Promise<Layer> {
  return group ? { ...layer, from: await nameFor(group, directory) } : layer;
}

/** Which groups there are out of reach is not for this administrator to know; what they set is in force all the same. */
async function nameFor(group: Dn, directory: Directory): Promise<string | null> {
  try {
    return (await directory.read(group, ['1.1'])) ? group.format() : null;
  } catch (error) {
    if (isReason(error, 'permission_denied')) return null;
    throw error;
  }
}
