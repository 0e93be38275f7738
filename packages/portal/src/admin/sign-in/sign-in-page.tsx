import { Card } from '../../kit/show.tsx';
import { LanguageMenu, ThemeMenu } from '../../shell/frame.tsx';
import { shellTexts } from '../../texts/shell/index.ts';
import { useTexts } from '../../texts/text.ts';

export function SignInPage() {
  const t = useTexts(shellTexts);
  return (
    <main className="centered">
      <Card title={t('portal')}>…</Card>
      <LanguageMenu />
      <ThemeMenu />
    </main>
  );
}
