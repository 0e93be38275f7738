/**
 * The policy of a caller that names a client without having proved to be that client. Of the named client's policy, only the stricter
 * parts apply (docs/concepts/policies-and-settings.md#client-policy). So the field `client` never leads to fewer factors, nor around the
 * policy of the caller's address.
 */

import type { Settings } from '../../directory/data/layers.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import type { SettingTables } from '../../table/setting.ts';
import { loginModeOf, stricterMode } from './client-mode.ts';
import type { ClientPolicy, InForce, Whereabouts } from './client-policy.ts';
import { tighten } from './strictness.ts';

export class StricterPolicy implements ClientPolicy {
  readonly #own: ClientPolicy;
  readonly #named: ClientPolicy;
  readonly #applications: SettingTables;

  /** @param own the policy without the word @param named the policy that the word names */
  constructor(
    own: ClientPolicy,
    named: ClientPolicy,
    { applications }: { readonly applications: SettingTables },
  ) {
    this.#own = own;
    this.#named = named;
    this.#applications = applications;
  }

  get name(): string {
    return this.#named.name;
  }

  readonly surely = undefined;

  get defaultDomain(): string | undefined {
    return this.#named.defaultDomain ?? this.#own.defaultDomain;
  }

  get needsGroups(): boolean {
    return this.#own.needsGroups || this.#named.needsGroups;
  }

  allowsOption(option: string): boolean {
    return this.#own.allowsOption(option) && this.#named.allowsOption(option);
  }

  admits(groups: readonly Dn[]): boolean {
    return this.#own.admits(groups) && this.#named.admits(groups);
  }

  async apply(below: Settings, whereabouts: Whereabouts): Promise<InForce> {
    const [own, named] = await Promise.all([
      this.#own.apply(below, whereabouts),
      this.#named.apply(below, whereabouts),
    ]);
    const mode = stricterMode(own.mode, named.mode);
    const settings = tighten(own.settings, named.settings, { mode, applications: this.#applications });
    return { settings, mode, isRaised: loginModeOf({ settings, mode }) !== loginModeOf(own) };
  }
}
