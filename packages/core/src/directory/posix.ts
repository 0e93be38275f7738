/**
 * Checks of names and numbers of POSIX accounts and groups (RFC 2307; passwd(5), group(5)), so that no entry becomes `root` or number 0 on a
 * system.
 */
import { read } from '../table/setting.ts';
import { onceFor, type Settings } from './data/layers.ts';
import { namesIn, posixSettings } from './posix-settings.ts';

/** Rules for names and numbers. Each returns what is wrong, for people; undefined for a valid value. */
export interface PosixRules {
  /** @param name of an account or a group, in any equivalent spelling */
  wrongName(name: string): string | undefined;
  wrongUid(number: string): string | undefined;
  wrongGid(number: string): string | undefined;
  wrongHome(path: string): string | undefined;
}

/** Makes the rules. @param presets of the installation, because entries do not set their own rules */
export const posixRules: (presets: Settings) => PosixRules = onceFor((presets) => {
  const reserved = namesIn(read(presets, posixSettings.ReservedNames)).map(matcherOf);
  const [uid, gid] = [read(presets, posixSettings.MinUID), read(presets, posixSettings.MinGID)];
  return {
    wrongName: (name) => {
      const folded = fold(name);
      if (reserved.some((isLike) => isLike(folded)))
        return `the name ${folded.slice(0, 64)} belongs to systems themselves (${posixSettings.ReservedNames.name})`;
      return isAccountName(name)
        ? undefined
        : `${JSON.stringify(name.slice(0, 64))} is not a valid account name: a letter or _, then letters, digits, _, ., - and @`;
    },
    wrongUid: (number) => wrongNumber(number, uid, posixSettings.MinUID.name),
    wrongGid: (number) => wrongNumber(number, gid, posixSettings.MinGID.name),
    wrongHome,
  };
});

function matcherOf(pattern: string): (folded: string) => boolean {
  const parts = pattern.split('*').map((part) => fold(part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('.*')}$`, 'u');
  return (folded) => expression.test(folded);
}

/** Folds a name as directories compare names (RFC 4518 §2): ignoring case, width, invisible characters and outer spaces. */
const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .toLowerCase();

/** Numbers that mean "no change" to `setuid`: a process with one would keep the rights of root. */
const noChange: ReadonlySet<number> = new Set([0xffff, 0xffff_ffff]);

function wrongNumber(text: string, least: number, setting: string): string | undefined {
  const number = /^(?:0|[1-9][0-9]{0,9})$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= 0xffff_ffff) || noChange.has(number))
    return `${text.slice(0, 64)} is not a valid account number`;
  return number < least ? `the number ${number} is below ${least}, the least (${setting})` : undefined;
}

/** System directories (Filesystem Hierarchy Standard 3.0 §3), which hold no homes, except `/var/home`. */
const systemDirectory =
  /^\/(?:bin|boot|dev|etc|lib[^/]*|lost\+found|proc|root|run|sbin|snap|sys|tmp|usr|var(?!\/home\/))(?:\/|$)/;

function wrongHome(path: string): string | undefined {
  if (!/^(?:\/[^/]+)+$/.test(path) || /\/\.{1,2}(?:\/|$)/.test(path))
    return 'a home is a path from / on, without . and ..';
  const isShared = path.lastIndexOf('/') === 0;
  return isShared || systemDirectory.test(path) ? 'the home is a directory of systems themselves' : undefined;
}

/** Class names and OIDs (RFC 2307 §4), in lower case. */
const accountClasses: ReadonlySet<string> = new Set(['posixaccount', '1.3.6.1.1.1.2.0']);
const groupClasses: ReadonlySet<string> = new Set(['posixgroup', '1.3.6.1.1.1.2.2']);

/** Returns whether the class of accounts is among the names of classes. */
export const hasAccountClass = (classes: readonly string[]): boolean =>
  classes.some((name) => accountClasses.has(name.toLowerCase()));

/** Returns whether the class of groups is among the names of classes. */
export const hasGroupClass = (classes: readonly string[]): boolean =>
  classes.some((name) => groupClasses.has(name.toLowerCase()));

/** Returns whether a text is one field of a line of passwd(5) or group(5). */
export const isField = (text: string): boolean => !/[:\p{Cc}]/u.test(text);

/**
 * Returns whether a text names an account or a group on systems: useradd(8), with capital letters as Active Directory has them, and the `@`
 * of a userPrincipalName. Digits alone are a number there, and `%`, `+`, `-`, `!` and spaces have meanings in sudoers and files of NSS.
 */
const isAccountName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_.@-]*$/.test(text);
