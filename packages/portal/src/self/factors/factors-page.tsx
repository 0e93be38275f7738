/** The user's factors: apps and devices that show codes, security keys and passkeys, codes on paper. */
import { Notice, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useOverview } from '../own/reading.ts';
import { CodesCard } from './codes-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { TokensCard } from './tokens-card.tsx';

export function FactorsPage() {
  const t = useTexts(factorsTexts);
  const { data: overview, error, refetch } = useOverview();
  return (
    <div className="stack">
      <h1>{t('title')}</h1>
      {error && <Failure error={error} onRetry={refetch} />}
      {!overview && !error && <Skeleton lines={6} />}
      {overview && (
        <>
          {overview.factors === 0 && <Notice tone="warn">{t('none')}</Notice>}
          {overview.factors === 1 && <Notice>{t('only')}</Notice>}
          <TokensCard overview={overview} />
          <DevicesCard overview={overview} />
          <CodesCard overview={overview} />
        </>
      )}
    </div>
  );
}
