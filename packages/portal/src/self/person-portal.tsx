/** Self-service: the door, and behind it the pages of one person. */
import { Card } from '../kit/show.tsx';
import { shellTexts } from '../texts/shell/index.ts';
import { useTexts } from '../texts/text.ts';

export function PersonPortal() {
  const t = useTexts(shellTexts);
  return (
    <main className="centered">
      <Card title={t('selfService')}>…</Card>
    </main>
  );
}
