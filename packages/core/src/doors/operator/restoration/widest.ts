/** The largest look-ahead windows that the configuration allows for codes, over all clients. */

import { type TokenRules, tokenRules } from '../../../authenticators/token.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { overlay, type Settings } from '../../../directory/data/layers.ts';
import { settingLayers } from '../../../directory/data/settings.ts';
import type { LayerView } from '../../../directory/view.ts';
import type { Entry } from '../../../ports/directory/directory.ts';
import type { Names } from '../../../table/dialect.ts';

export interface Widest {
  /** Seconds that a TOTP token may be off. */
  readonly timeWindow: number;
  /** Counters that a HOTP token may be ahead. */
  readonly lookAhead: number;
}

/** The sources of token settings, besides entries. */
export interface SettingSources {
  readonly config: Pick<ServiceConfig, 'clients'>;
  readonly names: Names;
  readonly presets: Settings;
}

export function widestRules({ config, names, presets }: SettingSources): Widest {
  const layers = Object.values(config.clients).flatMap(({ settings, groups, networks }) => [
    settings,
    ...groups.map((group) => group.settings),
    ...networks.map((network) => network.settings),
  ]);
  const all = [presets, ...layers.map((layer) => new Map([...presets, ...inOurWords(layer)]))].map(
    tokenRules,
  );
  return {
    timeWindow: Math.max(...all.map(({ timeWindow }) => timeWindow)),
    lookAhead: Math.max(...all.map(({ lookAhead }) => lookAhead)),
  };

  function inOurWords(layer: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
    return Object.entries(layer).map(([name, value]) => [names.oursDotted(name), String(value)] as const);
  }
}

/**
 * Reads the rules of one user, without those of clients.
 * @param entry the user, read with the settings attribute and `memberAttributes`
 */
export async function rulesOf(entry: Entry, view: LayerView): Promise<TokenRules> {
  const { layers } = await settingLayers(entry, view);
  return tokenRules(overlay([view.presets, ...layers]));
}
