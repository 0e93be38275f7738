/** Days of moments that the server writes, in the words of the language. */
import { momentOf } from '../../api/moment.ts';
import { useLanguage } from '../../texts/language.ts';

export function useShortDate(): (written: string) => string {
  const language = useLanguage();
  return (written) => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(momentOf(written));
}
