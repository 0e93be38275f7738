/** The call as code. */
import { Button } from '../../kit/button.tsx';
import { Code } from '../../kit/code.tsx';
import { Card } from '../../kit/show.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { explorerTexts } from '../../texts/explorer/index.ts';
import { useTexts } from '../../texts/text.ts';
import { languages, type SampleCall, writeSample } from './code-samples.ts';

export interface CollectedCalls {
  readonly calls: readonly SampleCall[];
  collect(call: SampleCall): void;
  forget(): void;
}

interface SamplesProps {
  readonly call: SampleCall;
  readonly url: string;
  readonly batch: CollectedCalls;
}

export function Samples({ call, url, batch }: SamplesProps) {
  const t = useTexts(explorerTexts);
  const sample = { url, call, before: batch.calls };
  return (
    <Card
      title={t('asCode')}
      actions={
        <Button size="small" onPress={() => batch.collect(call)}>
          {t('collect')}
        </Button>
      }
    >
      <Tabs
        label={t('asCode')}
        views={languages.map((language) => ({
          id: language,
          name: language === 'batch' ? 'JSON-RPC batch' : language,
          content: <Code text={writeSample(language, sample)} label={language} />,
        }))}
      />
      <div className="row" role="status">
        {batch.calls.length > 0 ? (
          <>
            <span>{t('collected', { count: batch.calls.length })}</span>
            <Button size="small" variant="quiet" onPress={batch.forget}>
              {t('forget')}
            </Button>
          </>
        ) : (
          <span className="soft small">{t('batchHint')}</span>
        )}
      </div>
    </Card>
  );
}
