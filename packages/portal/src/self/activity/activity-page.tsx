/** Sessions of the user, and recent logins to recognise. */
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { LoginsCard } from './logins-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export function ActivityPage() {
  const t = useTexts(selfTexts);
  return (
    <div className="stack">
      <h1>{t('activity')}</h1>
      <LoginsCard />
      <SessionsCard />
    </div>
  );
}
