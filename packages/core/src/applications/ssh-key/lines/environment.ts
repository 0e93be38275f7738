/** Environment variables of a session: `NAME=value`, with commas or line ends between them. */

/** A comma or a line end before the next name; other commas belong to a value. */
const separator = /[,\r\n]\s*(?=[A-Za-z_][A-Za-z0-9_]*=)/;

/**
 * A variable as sshd reads it between the quotes of an option (sshd(8), AUTHORIZED_KEYS FILE FORMAT): one line, and no backslash before a
 * quote.
 */
const pair = /^([A-Za-z_][A-Za-z0-9_]*)=([^\p{Cc}\\"]*)$/u;

/** Each as `NAME=value`. */
export const variablesOf = (text: string): readonly string[] =>
  text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => pair.test(one));

/** A phrase; undefined: nothing is wrong. */
export function wrongEnvironment(text: string): string | undefined {
  const wrong = text.split(separator).find((one) => !pair.test(one.trim()));
  return wrong === undefined
    ? undefined
    : 'is not NAME=value,NAME=value with letters, digits and underscores in the names, and neither quotes nor backslashes in the values';
}
