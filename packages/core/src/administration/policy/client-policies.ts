/**
 * The client policy of a login, and the settings of its request (docs/concepts/policies-and-settings.md#client-policy). An API key, a
 * certificate or the caller's address determines the policy. The field `client` chooses it for callers that may choose; for all others
 * only a stricter one.
 */
import type { ClientMode, ServiceConfig } from '../../config/config.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { Network } from '../../foundation/text/network.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Names } from '../../table/dialect.ts';
import type { SettingTables } from '../../table/setting.ts';
import type { Caller } from './caller.ts';
import { type ClientPolicy, unrestricted } from './client-policy.ts';
import { ConfiguredPolicy, type PolicyLayer } from './configured-policy.ts';
import { type ModeScope, SetModes } from './set-modes.ts';
import { StricterPolicy } from './stricter-policy.ts';

export interface PolicyPorts extends Pick<Ports, 'store' | 'clock'> {
  readonly config: ServiceConfig;
  readonly names: Names;
  readonly applications: SettingTables;
}

type Placed = readonly (readonly [Network, ConfiguredPolicy])[];

export class ClientPolicies {
  readonly #byName: ReadonlyMap<string, ConfiguredPolicy>;
  /** The clients that are named by an address or a network, the narrowest first. */
  readonly #named: Placed;
  /** Networks of clients' callers, the narrowest first. */
  readonly #bound: Placed;
  readonly #modes: SetModes;
  readonly #ports: PolicyPorts;

  constructor(ports: PolicyPorts) {
    this.#ports = ports;
    this.#modes = new SetModes(ports);
    const { names, applications } = ports;
    const policies = Object.entries(ports.config.clients).map(
      ([name, config]) => new ConfiguredPolicy(name, config, { names, applications, modes: this.#modes }),
    );
    this.#byName = new Map(policies.map((policy) => [policy.name.toLowerCase(), policy]));
    this.#named = place(policies, ({ name }) => Network.parseAll([name]));
    this.#bound = place(policies, ({ addresses }) => addresses);
  }

  /** @param client what the caller calls itself; undefined: its address is its name */
  find(caller: Caller, client: string | undefined): ClientPolicy {
    const own = this.#own(caller);
    if (client === undefined || caller.client !== undefined)
      return own ?? unrestricted(caller.client ?? caller.address);
    const named = this.#called(client);
    if (caller.choosesPolicy || named === own) return named ?? unrestricted(client);
    return new StricterPolicy(
      own ?? unrestricted(caller.address),
      named ?? unrestricted(client),
      this.#ports,
    );
  }

  /** Whether requests of a caller may set a setting to whatever they like; others they may only make stricter. */
  maySet(caller: Caller, setting: string): boolean {
    const listed = this.#own(caller)?.allowedSettings;
    return listed ? listed.has(setting) : caller.trusted === true || caller.choosesPolicy === true;
  }

  /** The client whose `addresses` an address is among; of several the one that names it most narrowly. */
  boundAt(address: string): string | undefined {
    return at(this.#bound, address)?.name;
  }

  /** The configuration's spelling of a name; undefined: there is no policy for it. */
  configured(name: string): string | undefined {
    return this.#byName.get(name.toLowerCase())?.name;
  }

  /** Returns the layers of a configured client for a user, see {@link ConfiguredPolicy.layersFor}; undefined: there is no such client. */
  layersFor(
    client: string,
    { groups, address }: { readonly groups: readonly Dn[]; readonly address: string | undefined },
  ): readonly PolicyLayer[] | undefined {
    return this.#byName.get(client.toLowerCase())?.layersFor(groups, address);
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

  /** The policy that holds for a caller whatever its requests say: which it has shown to be, or where it is. */
  #own({ client, address }: Caller): ConfiguredPolicy | undefined {
    return this.#called(client ?? address);
  }

  #called(name: string): ConfiguredPolicy | undefined {
    return this.#byName.get(name.toLowerCase()) ?? at(this.#named, name);
  }
}

function place(
  policies: readonly ConfiguredPolicy[],
  networksOf: (policy: ConfiguredPolicy) => readonly Network[],
): Placed {
  return policies
    .flatMap((policy) => networksOf(policy).map((network) => [network, policy] as const))
    .sort(([a], [b]) => b.bits - a.bits);
}

const at = (placed: Placed, address: string): ConfiguredPolicy | undefined =>
  placed.find(([network]) => network.contains(address))?.[1];
