/** Which language the pages are in: what was chosen here, or what the browser asks for. */
import { createContext, useContext } from 'react';

export const languages = { en: 'English', fr: 'Français', de: 'Deutsch', es: 'Español' } as const;

export type Language = keyof typeof languages;

export const isLanguage = (word: string): word is Language => word in languages;

export const LanguageContext = createContext<Language>('en');

export const useLanguage = (): Language => useContext(LanguageContext);

/** @param wanted languages of the browser, best first: `de-CH`, `en` */
export function bestLanguage(wanted: readonly string[]): Language {
  const words = wanted.map((each) => each.split('-', 1)[0]?.toLowerCase() ?? '');
  return words.find(isLanguage) ?? 'en';
}
