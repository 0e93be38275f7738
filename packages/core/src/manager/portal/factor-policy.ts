/**
 * The policy of logins to the Admin Portal: that of the client `AdminPortal`, where there is one, with the factors that
 * `admin_auth` wants. Neither settings of users nor a mode of the client leave one of them out.
 */
import { type Soon, soon } from '../../concurrency/soon.ts';
import { overlay, type Settings } from '../../directory/data/layers.ts';
import { loginSettings } from '../../login/settings.ts';
import type { ClientPolicy, InForce, Whereabouts } from '../../policy/client-policy.ts';
import type { Dn } from '../../text/dn.ts';

/** What clients are called that are the portal, in policies and in messages with codes. */
export const portalClient = 'AdminPortal';

export class FactorPolicy implements ClientPolicy {
  readonly #client: ClientPolicy;
  readonly #forced: Settings;

  /** @param loginMode a value of the setting */
  constructor(client: ClientPolicy, loginMode: string) {
    this.#client = client;
    this.#forced = new Map([
      [loginSettings.LoginMode.name, loginMode],
      [loginSettings.ChallengeMode.name, 'Yes'],
    ]);
  }

  get name(): string {
    return this.#client.name;
  }

  get surely(): string | undefined {
    return this.#client.surely;
  }

  get defaultDomain(): string | undefined {
    return this.#client.defaultDomain;
  }

  get needsGroups(): boolean {
    return this.#client.needsGroups;
  }

  allowsOption(): boolean {
    return false;
  }

  admits(groups: readonly Dn[]): boolean {
    return this.#client.admits(groups);
  }

  apply(below: Settings, whereabouts: Whereabouts): Soon<InForce> {
    return soon(this.#client.apply(below, whereabouts), ({ settings, mode }) => ({
      settings: overlay([settings, this.#forced]),
      mode: mode === 'step_down' ? 'default' : mode,
      isRaised: true,
    }));
  }
}
