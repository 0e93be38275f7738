/** Dates of server timestamps in the language of the page. */
import { momentOf } from '../../api/moment.ts';
import { useLanguage } from '../../texts/language.ts';

export function useShortDate(): (written: string) => string {
  const language = useLanguage();
  return (written) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(momentOf(written));
}
