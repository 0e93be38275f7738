/**
 * Client policies (concepts.md §3): what holds for logins that come from one system, such as a VPN server. A
 * policy is found by the `client` value of a request, else by the caller's address.
 */
import type { AnyApplication } from '../application.ts';
import type { ClientConfig, ClientMode } from '../config.ts';
import type { Core } from '../core.ts';
import type { Names } from '../dialect.ts';
import { Dn } from '../directory/dn.ts';
import type { Settings } from '../directory/settings.ts';
import { Network } from '../network.ts';
import { readSetting } from '../setting.ts';
import { type ModeScope, SetModes } from './set-modes.ts';

export interface ClientPolicy {
  /** In the configuration's spelling; of a client without a policy, what it was called. */
  readonly name: string;
  readonly defaultDomain: string | undefined;

  /** Whether a request may leave a factor out, by `-LDAP` or `-U2F`. */
  allowsOption(option: string): boolean;

  /** Whether a user in these groups may log in from here at all. */
  admits(groups: readonly Dn[]): boolean;

  /**
   * The policy layers 4 to 6, weakest first: of the client, of its users in these groups, of those at this address.
   * @param address the end user's (`source`), else the caller's
   */
  layers(groups: readonly Dn[], address: string | undefined): readonly Settings[];

  /**
   * The mode in force: what an administrator has set, else what is configured. A mode that was set for the client alone
   * leaves out whom one of its policies for groups or networks is for. Asks the store once.
   */
  mode(groups: readonly Dn[], address: string | undefined): Promise<ClientMode>;
}

type Ground = Pick<Core, 'config' | 'names' | 'applications' | 'store' | 'clock'>;

export class ClientPolicies {
  readonly #byName = new Map<string, ConfiguredPolicy>();
  /** The clients that are named by an address or a network, the narrowest first. */
  readonly #byAddress: readonly (readonly [Network, ConfiguredPolicy])[];
  readonly #modes: SetModes;

  constructor(ground: Ground) {
    this.#modes = new SetModes(ground);
    const policies = Object.entries(ground.config.clients).map(
      ([name, config]) => new ConfiguredPolicy(name, readRules(config, ground), this.#modes),
    );
    for (const policy of policies) this.#byName.set(policy.name.toLowerCase(), policy);
    this.#byAddress = policies
      .flatMap((policy) => {
        const network = Network.parse(policy.name);
        return network ? [[network, policy] as const] : [];
      })
      .sort(([a], [b]) => b.bits - a.bits);
  }

  /** @param client what the caller calls itself; undefined: its address is its name */
  find(client: string | undefined, callerAddress: string): ClientPolicy {
    const name = client ?? callerAddress;
    return (
      this.#byName.get(name.toLowerCase()) ??
      this.#byAddress.find(([network]) => network.contains(name))?.[1] ??
      unrestricted(name)
    );
  }

  /** The configuration's spelling of a name; undefined: there is no policy for it. */
  configured(name: string): string | undefined {
    return this.#byName.get(name.toLowerCase())?.name;
  }

  /**
   * Sets the mode of a configured client, see {@link SetModes.set}.
   * @param seconds how long it holds; undefined: until another one is set
   * @returns false if there is no such client
   */
  async setMode(
    client: string,
    scope: ModeScope,
    wanted: { mode: ClientMode; seconds?: number | undefined },
  ): Promise<boolean> {
    const policy = this.#byName.get(client.toLowerCase());
    if (policy) await this.#modes.set(policy.name, scope, wanted);
    return policy !== undefined;
  }
}

/** A client policy as the configuration has it, read. */
interface Rules {
  readonly settings: Settings;
  readonly defaultDomain: string | undefined;
  readonly allowedGroups: readonly Dn[];
  readonly excludedGroups: readonly Dn[];
  readonly allowedOptions: readonly string[];
  readonly mode: ClientMode;
  readonly groups: readonly (readonly [Dn, Settings])[];
  /** The widest first. */
  readonly networks: readonly (readonly [Network, Settings])[];
}

class ConfiguredPolicy implements ClientPolicy {
  readonly name: string;
  readonly #rules: Rules;
  readonly #modes: SetModes;

  constructor(name: string, rules: Rules, modes: SetModes) {
    this.name = name;
    this.#rules = rules;
    this.#modes = modes;
  }

  get defaultDomain(): string | undefined {
    return this.#rules.defaultDomain;
  }

  allowsOption(option: string): boolean {
    return this.#rules.allowedOptions.includes(option.toUpperCase());
  }

  admits(groups: readonly Dn[]): boolean {
    const { allowedGroups, excludedGroups } = this.#rules;
    if (excludedGroups.some((group) => isAmong(group, groups))) return false;
    return allowedGroups.length === 0 || allowedGroups.some((group) => isAmong(group, groups));
  }

  layers(groups: readonly Dn[], address: string | undefined): readonly Settings[] {
    const { settings, groups: byGroup, networks } = this.#rules;
    return [
      settings,
      ...byGroup.filter(([group]) => isAmong(group, groups)).map(([, layer]) => layer),
      ...networks.filter(([network]) => network.contains(address ?? '')).map(([, layer]) => layer),
    ];
  }

  async mode(groups: readonly Dn[], address: string | undefined): Promise<ClientMode> {
    const set = await this.#modes.find(this.name);
    const { mode, groups: byGroup, networks } = this.#rules;
    if (!set) return mode;
    const isOfGroup = !set.group && byGroup.some(([group]) => isAmong(group, groups));
    const isOfNetwork = !set.network && networks.some(([network]) => network.contains(address ?? ''));
    return isOfGroup || isOfNetwork ? mode : set.mode;
  }
}

/** By what the names mean, not how they are written. */
function isAmong(dn: Dn, others: readonly Dn[]): boolean {
  return others.some((other) => other.equals(dn));
}

/** Unknown names get the defaults (webservices.md §4). */
function unrestricted(name: string): ClientPolicy {
  return {
    name,
    defaultDomain: undefined,
    allowsOption: () => false,
    admits: () => true,
    layers: () => [],
    mode: async () => 'default',
  };
}

function readRules(config: ClientConfig, { names, applications }: Ground): Rules {
  const layer = (settings: ClientConfig['settings']) => readLayer(settings, { names, applications });
  const networks = config.networks.flatMap(({ network, settings }) => {
    const read = Network.parse(network);
    return read ? [[read, layer(settings)] as const] : [];
  });
  return {
    settings: layer(config.settings),
    defaultDomain: config.default_domain,
    allowedGroups: config.allowed_groups.map((dn) => Dn.parse(dn)),
    excludedGroups: config.excluded_groups.map((dn) => Dn.parse(dn)),
    allowedOptions: config.allowed_options,
    mode: config.mode,
    groups: config.groups.map(({ group, settings }) => [Dn.parse(group), layer(settings)] as const),
    networks: networks.sort(([a], [b]) => a.bits - b.bits),
  };
}

/** In our words; the configuration has been checked, so each value is one. */
function readLayer(
  settings: ClientConfig['settings'],
  { names, applications }: { names: Names; applications: Readonly<Record<string, AnyApplication>> },
): Settings {
  return new Map(
    Object.entries(settings).flatMap(([name, value]) => {
      const ours = names.oursDotted(name);
      const read = readSetting(applications, ours, value);
      return 'text' in read ? [[ours, read.text] as const] : [];
    }),
  );
}
