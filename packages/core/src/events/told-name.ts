/** How a login name stands in the log and the event log: people type their passwords in its place. */
import type { ServiceConfig } from '../config/config.ts';
import type { KeyRing } from '../ports/keys.ts';

/** Longest name of somebody who is there, and of others, in characters. */
const [longest, longestUnknown] = [256, 64];

/**
 * A name that nobody has, or that was not looked up, stands as a digest: equal ones are told by it, and nobody without
 * the key ring can try out what it was. `log_unknown_names` shows it.
 */
export function tellName(
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
