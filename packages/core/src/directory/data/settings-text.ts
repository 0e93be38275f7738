/** The text of settings on an entry: `App.Name=Value`, in the words of the installation or in ours. */
import type { Words } from '../view.ts';

/** A setting as it stands on an entry. */
export interface WrittenSetting {
  /** In our words. */
  readonly name: string;
  readonly value: string;
  /** It is there in the word of the installation, which may be ours. */
  readonly isTheirs: boolean;
}

/** What one value of the attribute holds. Those that others wrote may hold several settings, with commas between them. */
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

/** A comma would end the value for readers who expect several in one; it is written `\2C`. */
export function formatSetting(name: string, value: string): string {
  return `${name}=${value.replace(/[\\,]/g, (c) => (c === ',' ? '\\2C' : '\\5C'))}`;
}

/** Only what {@link formatSetting} escapes: in `C:\data`, written by others, `\da` is no hex pair. */
function unescapeValue(text: string): string {
  return text.replace(/\\(2C|5C)/gi, (_, pair: string) => (pair.toUpperCase() === '2C' ? ',' : '\\'));
}
