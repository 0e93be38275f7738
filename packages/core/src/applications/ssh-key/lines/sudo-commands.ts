/** Commands that sudo allows a user, as sudoers(5) writes them. */

/** A comma that is not escaped, or a line end. */
const separator = /(?<!\\),|[\r\n]+/;

/** sudoers(5), Tag_Spec. */
const tag = /(?:(?:NO)?(?:EXEC|FOLLOW|LOG_INPUT|LOG_OUTPUT|MAIL|INTERCEPT|PASSWD|SETENV)):/;

/** Characters that are literal in sudoers, or escaped; wildcards are meant. Any other might begin another rule. */
const words = /(?:[\w./*?+%@~{}|&;<>'!-]| |\\[,:= ])*/;

/** Tags, then a path with what it is called with, what sudoedit may edit, or `ALL`. */
const command = new RegExp(`^(?:${tag.source} *)*!?(?:ALL|(?:sudoedit )?/${words.source})$`);

/** Names that stand for themselves in sudoers: no alias, which is written in capitals, no `%group`, `+netgroup` or `#uid`. */
const plainName = /^(?=.*[a-z])[A-Za-z_][A-Za-z0-9_.-]*$/;

const isCommand = (text: string): boolean => command.test(text);

const commandsIn = (text: string): readonly string[] => text.split(separator).map((one) => one.trim());

/** A phrase; undefined: nothing is wrong. */
export const wrongCommands = (text: string): string | undefined =>
  commandsIn(text).every(isCommand)
    ? undefined
    : 'is not a list of commands as sudoers writes them: whole paths, sudoedit or ALL, with tags such as NOPASSWD: before them, and commas or line ends between them';

/**
 * One line for each command: `<user> ALL=(ALL) <command>`. None where a name or the text would mean something else in sudoers.
 * @param user the name of the account on the system
 */
export function sudoersLines(user: string, text: string | undefined): readonly string[] {
  const commands = text === undefined ? [] : commandsIn(text);
  if (!plainName.test(user) || !commands.every(isCommand)) return [];
  return commands.map((one) => `${user} ALL=(ALL) ${one}`);
}
