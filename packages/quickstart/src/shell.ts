/** Commands that work when they are pasted into a POSIX shell, whatever is in their words. */

export const command = (...words: readonly string[]): string => words.map(quote).join(' ');

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
