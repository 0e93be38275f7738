/** Checks of settings whose text of several lines is passed unchanged to SSH servers. */

const longest = 4096;

/** Lines that can be shown: no other control characters (Unicode Cc), and no overrides of direction. */
const shown = /^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u;

/** A phrase; undefined: nothing is wrong. */
export const wrongLines = (text: string): string | undefined =>
  text.length <= longest && text.split(/\r?\n/).every((line) => shown.test(line.replaceAll('\t', ' ')))
    ? undefined
    : `is longer than ${longest} characters, or has characters that cannot be shown`;

/** sudoers(5): other files come in by these, also by the older form with a hash sign. */
const includes = /^\s*[@#]\s*include/i;

/** {@link wrongLines}, of a text that names other files, too. */
export const wrongSudoers = (text: string): string | undefined =>
  wrongLines(text) ??
  (text.split(/\r?\n/).some((line) => includes.test(line))
    ? 'includes other files, which is not for a setting of a user to say'
    : undefined);
