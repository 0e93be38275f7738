/** Texts of the pages of links, in all languages. */
import { type InLanguage, inLanguage } from '../../../../messaging/texts/texts.ts';
import { de } from './de.ts';
import { en, type SelfWords } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export type PageWords = InLanguage<SelfWords>;

/** @param preferred as `Accept-Language` has it */
export const wordsFor = (preferred: string, otherwise: string): PageWords =>
  inLanguage({ en, fr, de, es }, { preferred, otherwise });
