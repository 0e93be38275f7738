import type { ServiceConfig } from '../config/config.ts';
import type { KeyRing } from '../ports/keys.ts';

/** The most characters of a known name, and of an unknown one. */
const [longest, longestUnknown] = [256, 64];

/**
 * Returns a login name for the logs. An unknown name may be a password that was typed in the wrong field, so it becomes a keyed digest,
 * unless `log_unknown_names` is set.
 */
export function loggedName(
  name: string,
  isKnown: boolean,
  { config, keys }: { readonly config: Pick<ServiceConfig, 'log_unknown_names'>; readonly keys: KeyRing },
): string {
  if (isKnown) return shorten(name, longest);
  const short = shorten(name, longestUnknown);
  return config.log_unknown_names ? short : `#${keys.digest(short, 'login name').slice(0, 16)}`;
}

const shorten = (name: string, most: number): string =>
  name.length > most ? `${name.slice(0, most)}…` : name;
