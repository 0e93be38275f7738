/** Restricts the POSIX names and numbers that a role writes: those that systems reserve for themselves are refused. */
import { hasAccountClass, hasGroupClass, isField, type PosixRules } from '../../directory/posix.ts';
import { type Attributes, textsOf } from '../../foundation/text/value.ts';

type Judge = (value: string) => string | undefined;

/** Types of attributes with one spelling each, beside the class. */
export interface PosixTypes {
  /** The types that name an account. */
  readonly logins: readonly string[];
  /** The types that name the accounts of a group's members. */
  readonly members: readonly string[];
}

/** The types whose values systems read, beside those that are configured. */
export const posixTypes: readonly string[] = [
  ...['cn', 'uidnumber', 'gidnumber', 'homedirectory', 'loginshell', 'gecos'],
];

/**
 * Returns the fault of values that are written, for people; undefined: no fault.
 * @param given the values that come, by type
 * @param entry the values of the entry with them: they decide whether the entry is an account or a group
 */
export function wrongPosix(
  { given, entry }: { readonly given: Attributes; readonly entry: Attributes },
  { logins, members }: PosixTypes,
  rules: PosixRules,
): string | undefined {
  const { wrongName } = rules;
  const isNamedHome = hasAccountClass(namesOfClasses(entry));
  const judges: readonly (readonly [string, Judge])[] = [
    ...(isAccount(entry) ? logins.map((type) => [type, wrongName] as const) : []),
    ...(isGroup(entry) ? [['cn', wrongName] as const] : []),
    ...members.map((type) => [type, wrongName] as const),
    ['uidnumber', rules.wrongUid],
    ['gidnumber', rules.wrongGid],
    // The home of Windows is another thing under the same name, on entries without the class.
    ['homedirectory', (path) => wrongText(path) ?? (isNamedHome ? rules.wrongHome(path) : undefined)],
    ['loginshell', wrongText],
    ['gecos', wrongText],
  ];
  for (const [type, judge] of judges) {
    const wrong = textsOf(given.get(type) ?? [])
      .map(judge)
      .find(Boolean);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

/** Returns whether an entry is an account of systems: Active Directory has numbers without the class. */
export const isAccount = (entry: Attributes): boolean =>
  hasAccountClass(namesOfClasses(entry)) || entry.has('uidnumber');

/** Returns whether an entry is a group of systems. */
export const isGroup = (entry: Attributes): boolean => hasGroupClass(namesOfClasses(entry));

/** The names of an entry's classes. @param entry its values by type */
export const namesOfClasses = (entry: Attributes): readonly string[] =>
  textsOf(entry.get('objectclass') ?? []);

const wrongText: Judge = (text) =>
  isField(text) ? undefined : 'a home, a shell or a name has a character that ends it on a system';
