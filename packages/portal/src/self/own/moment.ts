/** Moments as the server writes them, in the words of the browser. */
import { useLanguage } from '../../texts/language.ts';

/** `YYYY-MM-DD HH:MM:SS` in UTC. */
export const momentOf = (written: string): Date => new Date(`${written.replace(' ', 'T')}Z`);

export function useShortDate(): (written: string) => string {
  const language = useLanguage();
  return (written) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(momentOf(written));
}
