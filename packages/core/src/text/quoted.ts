/** Nothing in it but a backslash is written otherwise between quotes. */
const plain = /^[\w .@\\-]*$/;

/** As `JSON.stringify` writes it, which is slow with the few letters that names are of. */
export const quoted = (text: string): string =>
  plain.test(text) ? `"${text.replaceAll('\\', '\\\\')}"` : JSON.stringify(text);
