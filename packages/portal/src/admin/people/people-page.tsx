import { shellTexts } from '../../texts/shell/index.ts';
import { useTexts } from '../../texts/text.ts';

export function PeoplePage() {
  const t = useTexts(shellTexts);
  return <h1>{t('people')}</h1>;
}
