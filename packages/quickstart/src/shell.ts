/** Quotes commands for a POSIX shell, so that they can be pasted whatever their words contain. */

export const command = (...words: readonly string[]): string => words.map(quote).join(' ');

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
