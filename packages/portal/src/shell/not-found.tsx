import { Link } from 'wouter';
import { Empty } from '../kit/show.tsx';
import { shellTexts } from '../texts/shell/index.ts';
import { useTexts } from '../texts/text.ts';

export function NotFound() {
  const t = useTexts(shellTexts);
  return (
    <div className="stack">
      <h1>{t('notFound')}</h1>
      <Empty>
        <Link href="/">{t('toStart')}</Link>
      </Empty>
    </div>
  );
}
