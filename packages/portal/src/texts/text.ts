/** Texts in the four languages. English is the type of the others, and is there at once; the others are loaded when chosen. */
import { use, useCallback } from 'react';
import { type Language, useLanguage } from './language.ts';

/** Texts by their keys: `{name}` is filled in, numbers as the language writes them; `one|more` is chosen by `{count}`. */
export type Texts<Key extends string> = Readonly<Record<Key, string>>;

export type TextsOf<English extends Readonly<Record<string, string>>> = Texts<Extract<keyof English, string>>;

type Loader<Key extends string> = () => Promise<{ readonly default: Texts<Key> }>;

export interface Catalogue<Key extends string> {
  readonly en: Texts<Key>;
  load(language: Exclude<Language, 'en'>): Promise<Texts<Key>>;
}

export type Values = Readonly<Record<string, string | number>>;

export type Translate<Key extends string> = (key: Key, values?: Values) => string;

export function defineTexts<Key extends string>(
  en: Texts<Key>,
  loaders: Readonly<Record<Exclude<Language, 'en'>, Loader<NoInfer<Key>>>>,
): Catalogue<Key> {
  const loaded = new Map<Language, Promise<Texts<Key>>>();
  return {
    en,
    load: (language) => {
      // `use` wants the same promise at every rendering.
      const found = loaded.get(language) ?? loaders[language]().then((module) => module.default);
      loaded.set(language, found);
      return found;
    },
  };
}

/** Suspends until the texts of the language are there. */
export function useTexts<Key extends string>(catalogue: Catalogue<Key>): Translate<Key> {
  const language = useLanguage();
  const texts = language === 'en' ? catalogue.en : use(catalogue.load(language));
  return useCallback((key, values) => fill(texts[key], values, language), [texts, language]);
}

export function fill(text: string, values: Values = {}, language: Language = 'en'): string {
  return chosen(text, values.count, language).replace(/\{(\w+)\}/g, (whole, name: string) =>
    written(values[name] ?? whole, language),
  );
}

const written = (value: string | number, language: Language): string =>
  typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value;

function chosen(text: string, count: string | number | undefined, language: Language): string {
  const [one = text, more] = text.split('|');
  if (more === undefined) return text;
  return new Intl.PluralRules(language).select(Number(count ?? 0)) === 'one' ? one : more;
}
