/** Rules for a password that is set by a link, besides the directory’s own policy. */
import type { Settings } from '../../../directory/data/layers.ts';
import { read } from '../../../table/setting.ts';
import { longEnough, pwresetSettings } from '../settings.ts';
import type { PageWords } from './words/index.ts';

/** Whatever the settings say: nobody makes the directory hash a book. In characters. */
export const longestPassword = 1024;

/** Returns the rules that a password breaks, as sentences. */
export function missingIn(password: string, settings: Settings, words: PageWords): readonly string[] {
  const characters = [...password].length;
  const least = Math.max(1, read(settings, pwresetSettings.PasswordMinLength));
  const most = read(settings, pwresetSettings.PasswordMaxLength) || longestPassword;
  const strength = read(settings, pwresetSettings.PasswordStrength);
  const isLong = read(settings, pwresetSettings.PasswordByLength) && characters >= longEnough;
  const wants = (isWanted: boolean, pattern: RegExp, text: string) =>
    isWanted && !isLong && !pattern.test(password) ? [text] : [];
  return [
    ...(characters < least ? [words.least.replace('{number}', String(least))] : []),
    ...(characters > most ? [words.most.replace('{number}', String(most))] : []),
    ...(bitsOf(password) < strength ? [words.strength] : []),
    ...wants(read(settings, pwresetSettings.PasswordAlpha), /\p{L}/u, words.letter),
    ...wants(read(settings, pwresetSettings.PasswordNumeric), /\p{N}/u, words.digit),
    ...wants(read(settings, pwresetSettings.PasswordSymbol), /[^\p{L}\p{N}]/u, words.symbol),
    ...wants(read(settings, pwresetSettings.PasswordCase), /\p{Ll}.*\p{Lu}|\p{Lu}.*\p{Ll}/su, words.cases),
  ];
}

/** Kinds of characters, and how many there are of each on a keyboard. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/[\p{Ll}\p{Lo}]/u, 26],
  [/\p{Lu}/u, 26],
  [/\p{N}/u, 10],
  [/[^\p{L}\p{N}]/u, 33],
];

/** Bits of a password, as `PwReset.PasswordStrength` counts them. */
function bitsOf(password: string): number {
  const counted = [...password].filter((one, index, all) => one !== all[index - 1]).length;
  const alphabet = kinds.reduce((sum, [pattern, size]) => sum + (pattern.test(password) ? size : 0), 0);
  return counted * Math.log2(Math.max(alphabet, 2));
}
