/** Where somebody is signed in, and who has signed in lately: was it them? */
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
