/** The text of settings on an entry: `App.Name=Value`, in the installation's words or ours. */
import type { Words } from '../view.ts';

/** A setting as stored. */
export interface WrittenSetting {
  /** Name in our words. */
  readonly name: string;
  readonly value: string;
  /** Whether it is stored in the installation's word, which may be ours. */
  readonly isTheirs: boolean;
}

/** Parses a value. Values of other programs may hold several settings, separated by commas. */
export function parseSettings(value: string, { names }: Pick<Words, 'names'>): readonly WrittenSetting[] {
  return value.split(/,(?=\s*[A-Za-z][A-Za-z0-9]*\.[A-Za-z0-9]+=)/).flatMap((pair) => {
    const equals = pair.indexOf('=');
    if (equals <= 0) return [];
    const word = pair.slice(0, equals).trim();
    const name = names.oursDotted(word);
    const isTheirs = names.theirsDotted(name) === word;
    return [{ name, value: unescapeValue(pair.slice(equals + 1)), isTheirs }];
  });
}

/** Formats a setting. A comma is written `\2C`, because readers of several settings in a value would split there. */
export function formatSetting(name: string, value: string): string {
  return `${name}=${value.replace(/[\\,]/g, (c) => (c === ',' ? '\\2C' : '\\5C'))}`;
}

/** Unescapes only what {@link formatSetting} escapes: `\da` in `C:\data` is no hex pair. */
function unescapeValue(text: string): string {
  return text.replace(/\\(2C|5C)/gi, (_, pair: string) => (pair.toUpperCase() === '2C' ? ',' : '\\'));
}
