/** Texts of the pages for links to files and new tokens, in all languages. */
import { type InLanguage, inLanguage } from '../../../messaging/texts/texts.ts';
import { de } from './de.ts';
import { en, type OtpWords } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export type OtpPageWords = InLanguage<OtpWords>;

/** The context of choosing a language where the browser names none. */
export interface LanguageView {
  readonly config: { readonly default_language: string };
}

/** @param preferred as `Accept-Language` has it */
export const wordsFor = (preferred: string | undefined, { config }: LanguageView): OtpPageWords =>
  inLanguage({ en, fr, de, es }, { preferred, otherwise: config.default_language });
