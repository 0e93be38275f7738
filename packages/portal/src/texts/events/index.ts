import { defineTexts } from '../text.ts';
import { en } from './en.ts';

export const eventTexts = defineTexts(en, {
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
});
