/** A client policy of the configuration, changed by the client mode that an administrator has set. */
import type { ClientConfig, ClientMode } from '../../config/config.ts';
import { overlay, type Settings } from '../../directory/data/layers.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { Network } from '../../foundation/text/network.ts';
import type { Names } from '../../table/dialect.ts';
import { requestedSetting } from '../../table/requested-setting.ts';
import { readSetting, type SettingTables } from '../../table/setting.ts';
import { stricterMode } from './client-mode.ts';
import type { ClientPolicy, InForce, Whereabouts } from './client-policy.ts';
import type { SetModes } from './set-modes.ts';
import { tighten } from './strictness.ts';

interface PolicyParts {
  readonly names: Names;
  readonly applications: SettingTables;
  readonly modes: SetModes;
}

/** Settings of a client's policy, and whom it has them for. */
export interface PolicyLayer {
  readonly layer: 'client' | 'client by group' | 'client by network';
  /** The client. */
  readonly from: string;
  /** The group whose members it is for. */
  readonly group?: Dn;
  readonly settings: Settings;
}

interface Rules {
  readonly settings: Settings;
  readonly allowedGroups: readonly Dn[];
  readonly excludedGroups: readonly Dn[];
  readonly groups: readonly (readonly [Dn, Settings])[];
  /** The widest first. */
  readonly networks: readonly (readonly [Network, Settings])[];
}

export class ConfiguredPolicy implements ClientPolicy {
  readonly name: string;
  /** Networks by which its callers are recognised. */
  readonly addresses: readonly Network[];
  /** Settings that its callers may send, in our words; undefined: as others may. */
  readonly allowedSettings: ReadonlySet<string> | undefined;
  readonly #config: ClientConfig;
  readonly #rules: Rules;
  readonly #parts: PolicyParts;

  constructor(name: string, config: ClientConfig, parts: PolicyParts) {
    this.name = name;
    this.addresses = Network.parseAll(config.addresses);
    const allowed = config.allowed_settings?.map((text) => requestedSetting(text, parts.names));
    this.allowedSettings = allowed && new Set(allowed);
    this.#config = config;
    this.#rules = readRules(config, parts);
    this.#parts = parts;
  }

  get surely(): string {
    return this.name;
  }

  get defaultDomain(): string | undefined {
    return this.#config.default_domain;
  }

  get needsGroups(): boolean {
    const { allowedGroups, excludedGroups, groups } = this.#rules;
    return [allowedGroups, excludedGroups, groups].some((rules) => rules.length > 0);
  }

  allowsOption(option: string): boolean {
    return this.#config.allowed_options.some((allowed) => allowed === option.toUpperCase());
  }

  admits(groups: readonly Dn[]): boolean {
    const { allowedGroups, excludedGroups } = this.#rules;
    if (excludedGroups.some((group) => isAmong(group, groups))) return false;
    return allowedGroups.length === 0 || allowedGroups.some((group) => isAmong(group, groups));
  }

  /** The layers of a user, the weakest first. @param address undefined: nothing is known of where the user is */
  layersFor(groups: readonly Dn[], address: string | undefined): readonly PolicyLayer[] {
    const rules = this.#rules;
    const ofGroups = rules.groups.filter(([group]) => isAmong(group, groups));
    const ofNetworks = rules.networks.filter(
      ([network]) => address !== undefined && network.contains(address),
    );
    const from = this.name;
    return [
      { layer: 'client', from, settings: rules.settings },
      ...ofGroups.map(([group, settings]) => ({ layer: 'client by group', from, group, settings }) as const),
      ...ofNetworks.map(([, settings]) => ({ layer: 'client by network', from, settings }) as const),
    ];
  }

  async apply(below: Settings, whereabouts: Whereabouts): Promise<InForce> {
    const { applications } = this.#parts;
    const mode = await this.#mode(whereabouts);
    const { settings, groups } = this.#rules;
    const ofGroups = groups.filter(([group]) => isAmong(group, whereabouts.groups)).map(([, layer]) => layer);
    const ofNetworks = overlay(this.#networksAt(whereabouts).map(([, layer]) => layer));
    const wide = overlay([below, settings, ...ofGroups]);
    const all = whereabouts.isElsewhere
      ? tighten(wide, ofNetworks, { mode, applications })
      : overlay([wide, ofNetworks]);
    return { settings: all, mode, isRaised: false };
  }

  async #mode(whereabouts: Whereabouts): Promise<ClientMode> {
    const set = await this.#parts.modes.find(this.name);
    const { mode } = this.#config;
    if (!set) return mode;
    const isOfGroup = !set.group && this.#rules.groups.some(([group]) => isAmong(group, whereabouts.groups));
    if (isOfGroup) return mode;
    const isOfNetwork = !set.network && this.#networksAt(whereabouts).length > 0;
    if (!isOfNetwork) return set.mode;
    return whereabouts.isElsewhere ? stricterMode(mode, set.mode) : mode;
  }

  #networksAt({ address }: Whereabouts): Rules['networks'] {
    return this.#rules.networks.filter(([network]) => network.contains(address));
  }
}

/** Compares DNs by their meaning, not their spelling. */
const isAmong = (dn: Dn, others: readonly Dn[]): boolean => others.some((other) => other.equals(dn));

function readRules(config: ClientConfig, parts: Omit<PolicyParts, 'modes'>): Rules {
  const layer = (settings: ClientConfig['settings']) => readLayer(settings, parts);
  const networks = config.networks.flatMap(({ network, settings }) =>
    Network.parseAll([network]).map((read) => [read, layer(settings)] as const),
  );
  return {
    settings: layer(config.settings),
    allowedGroups: config.allowed_groups.map((dn) => Dn.parse(dn)),
    excludedGroups: config.excluded_groups.map((dn) => Dn.parse(dn)),
    groups: config.groups.map(({ group, settings }) => [Dn.parse(group), layer(settings)] as const),
    networks: networks.sort(([a], [b]) => a.bits - b.bits),
  };
}

/** Reads a layer in our words; the configuration has been validated, so each value fits. */
function readLayer(
  settings: ClientConfig['settings'],
  { names, applications }: Omit<PolicyParts, 'modes'>,
): Settings {
  return new Map(
    Object.entries(settings).flatMap(([name, value]) => {
      const ours = names.oursDotted(name);
      const read = readSetting(applications, ours, value);
      return 'text' in read ? [[ours, read.text] as const] : [];
    }),
  );
}
