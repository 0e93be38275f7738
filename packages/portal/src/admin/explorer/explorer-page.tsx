/** The explorer of the Manager interface: documentation of every method, with a form to call it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useRoute } from 'wouter';
import { Empty, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { explorerTexts } from '../../texts/explorer/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { SampleCall } from './code-samples.ts';
import { MethodList } from './method-list.tsx';
import { MethodPage } from './method-page.tsx';
import { discover, type OpenRpc } from './open-rpc.ts';

export function ExplorerPage() {
  const t = useTexts(explorerTexts);
  const { manager } = useSession();
  const read = useQuery({
    queryKey: ['rpc.discover'],
    queryFn: () => discover(manager),
    // Nothing of it changes while the server runs.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <div className="stack">
      <div className="stack-tight">
        <h1>{t('title')}</h1>
        <p className="soft">{t('intro')}</p>
      </div>
      {read.isPending && <Skeleton lines={8} />}
      {read.isError && <Failure error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && <Explorer description={read.data} />}
    </div>
  );
}

function Explorer({ description }: { readonly description: OpenRpc }) {
  const t = useTexts(explorerTexts);
  const [isChosen, params] = useRoute('/explorer/:method');
  const [collected, setCollected] = useState<readonly SampleCall[]>([]);
  const name = isChosen ? params.method : undefined;
  const method = description.methods.find((one) => one.name === name);
  const batch = {
    calls: collected,
    collect: (call: SampleCall) => setCollected((before) => [...before, call]),
    forget: () => setCollected([]),
  };
  return (
    <div className="beside" data-chosen={isChosen}>
      <MethodList methods={description.methods} chosen={name} />
      <div className="beside-main stack">
        {isChosen && (
          <Link href="/explorer" className="beside-back">
            {t('back')}
          </Link>
        )}
        {/* The form of one method is not that of another. */}
        {method && <MethodPage key={method.name} {...{ method, description, batch }} />}
        {!method && <Empty>{t(isChosen ? 'unknown' : 'choose')}</Empty>}
      </div>
    </div>
  );
}
