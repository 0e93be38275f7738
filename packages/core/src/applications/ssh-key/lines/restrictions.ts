/** Restrictions of an SSH session, as options of a line of `authorized_keys` (sshd(8), AUTHORIZED_KEYS FILE FORMAT). */

/** Undefined: nothing is said. */
export interface Restrictions {
  /** Addresses from which the user may come. */
  readonly addresses: string | undefined;
  /** Destinations to which ports may be forwarded. */
  readonly forwards: string | undefined;
  /** The command that runs, whatever the client asks for. */
  readonly command: string | undefined;
  /** Options without a value: `no-pty`. */
  readonly closed: readonly string[];
}

/** Neither ends the quotes of an option nor the line: sshd has no way to write a backslash before a quote. */
const isPlain = (text: string): boolean => /^[^\p{Cc}\\"]+$/u.test(text);

/** ssh_config(5), PATTERNS, and networks in CIDR. */
const areAddresses = (text: string): boolean =>
  text.split(',').every((one) => /^!?[\w.:*?/-]+$/.test(one.trim()));

/** `host:port`, IPv6 in brackets, `*` for any port. */
const forward = /^(?:[\w.*-]+|\[[0-9A-Fa-f:.]+\]):(?:[0-9]{1,5}|\*)$/;

const partsOf = (text: string): readonly string[] => text.split(',').map((one) => one.trim());

const areForwards = (text: string): boolean => partsOf(text).every((one) => forward.test(one));

/** Each a phrase; undefined: nothing is wrong. */
export const wrongAddresses = (text: string): string | undefined =>
  areAddresses(text) ? undefined : 'is not a comma-separated list of addresses, networks and patterns';

export const wrongForwards = (text: string): string | undefined =>
  areForwards(text) ? undefined : 'is not host:port,host:port';

export const wrongCommand = (text: string): string | undefined =>
  isPlain(text) ? undefined : 'has a quote, a backslash or a line end in it';

/** Undefined: somebody wrote what cannot be said to sshd on an entry, and the key lets nobody in. */
export function restrictionOptions({
  addresses,
  forwards,
  command,
  closed,
}: Restrictions): readonly string[] | undefined {
  const isWritable =
    areAddresses(addresses ?? '*') && areForwards(forwards ?? '*:*') && isPlain(command ?? 'none');
  if (!isWritable) return undefined;
  return [
    ...(addresses === undefined ? [] : [`from="${partsOf(addresses).join(',')}"`]),
    ...(command === undefined ? [] : [`command="${command}"`]),
    ...(forwards === undefined ? [] : partsOf(forwards).map((one) => `permitopen="${one}"`)),
    ...closed,
  ];
}
