/** What people read on the pages behind links, in the languages that there are. */
import { languagesOf } from '../../../sending/texts/texts.ts';
import { de } from './de.ts';
import { en, type SelfWords } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

export type PageWords = SelfWords & { readonly language: string };

const all: Readonly<Record<string, SelfWords>> = { en, fr, de, es };

/** @param preferred as `Accept-Language` has it */
export function wordsFor(preferred: string, otherwise: string): PageWords {
  const candidates = [...languagesOf(preferred), otherwise.toLowerCase()];
  const language = candidates.find((one) => Object.hasOwn(all, one)) ?? 'en';
  return { ...(all[language] ?? en), language };
}
