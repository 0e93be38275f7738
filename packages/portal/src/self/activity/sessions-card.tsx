/** All sessions at once: here, and in applications with single sign-on. */
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/show.tsx';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useEndSessions } from './ending.ts';

export function SessionsCard() {
  const t = useTexts(selfTexts);
  const end = useEndSessions();
  return (
    <Card title={t('sessions')}>
      <p className="soft">{t('sessionsMore')}</p>
      <div>
        <Button icon="leave" isPending={end.isPending} onPress={() => end.mutate()}>
          {t('endSessions')}
        </Button>
      </div>
    </Card>
  );
}
