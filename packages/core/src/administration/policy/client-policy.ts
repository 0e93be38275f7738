/** The policy for logins that come from one system, such as a VPN server (docs/concepts/policies-and-settings.md#client-policy). */

import type { ClientMode } from '../../config/config.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Dn } from '../../foundation/text/dn.ts';

/** The user's groups and address. */
export interface Whereabouts {
  /** Those that the user is in. */
  readonly groups: readonly Dn[];
  /** The end user's (`source`) where it is believed, else the caller's. */
  readonly address: string;
  /**
   * The caller says that its users are elsewhere, and is not believed: what its own network would loosen is not theirs
   * then.
   */
  readonly isElsewhere: boolean;
}

/** The settings and mode in force for a login, before those of its request. */
export interface InForce {
  readonly settings: Settings;
  readonly mode: ClientMode;
  /** A caller who may only ask for more has done so: no option leaves that out again. */
  readonly isRaised: boolean;
}

export interface ClientPolicy {
  /** The name in the configuration's spelling; of a client without a policy, as the caller wrote it. */
  readonly name: string;
  /** The configured client that the caller surely is; undefined: of none, or it only says so. */
  readonly surely: string | undefined;
  readonly defaultDomain: string | undefined;
  /** Whether the policy depends on the groups of a user. */
  readonly needsGroups: boolean;

  /** Whether a request may leave a factor out, by `-LDAP` or `-U2F`. */
  allowsOption(option: string): boolean;

  /** Whether a user in these groups may log in from here at all. */
  admits(groups: readonly Dn[]): boolean;

  /**
   * Returns the settings in force for a user. The mode is what an administrator has set, else the configured one. A mode set for the
   * client alone excludes users of its policies for groups or networks. Reads the store once for each policy.
   * @param below the layers 1 to 3
   */
  apply(below: Settings, whereabouts: Whereabouts): Promise<InForce>;
}

/** Unknown names get the defaults. */
export const unrestricted = (name: string): ClientPolicy => new Unrestricted(name);

class Unrestricted implements ClientPolicy {
  readonly name: string;
  readonly surely = undefined;
  readonly defaultDomain = undefined;
  readonly needsGroups = false;

  constructor(name: string) {
    this.name = name;
  }

  allowsOption(): boolean {
    return false;
  }

  admits(): boolean {
    return true;
  }

  async apply(settings: Settings): Promise<InForce> {
    return { settings, mode: 'default', isRaised: false };
  }
}
