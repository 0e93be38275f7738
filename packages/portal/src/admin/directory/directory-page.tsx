/** The directory as a tree, and beside it the entry that was chosen there. The address names it: `/directory?dn=…`. */
import { useQuery } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'wouter';
import { Empty } from '../../kit/show.tsx';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { directoryTexts } from '../../texts/directory/index.ts';
import { useTexts } from '../../texts/text.ts';
import { EntryView } from './entry-view.tsx';
import { entryPath } from './paths.ts';
import { readRoots } from './roots.ts';
import { Tree } from './tree.tsx';

export function DirectoryPage() {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  const [search] = useSearchParams();
  const [, go] = useLocation();
  const dn = search.get('dn') ?? undefined;
  const roots = useQuery({ queryKey: ['roots'], queryFn: () => readRoots(manager) });
  return (
    <div className="stack">
      <h1>{t('title')}</h1>
      <Read query={roots}>
        {(found) => (
          <div className="beside" data-chosen={dn !== undefined}>
            <Tree roots={found} chosen={dn} />
            <div className="beside-main stack">
              {dn === undefined ? (
                <Empty>{t('choose')}</Empty>
              ) : (
                <EntryView
                  key={dn}
                  dn={dn}
                  onGo={(to) => go(to === undefined ? '/directory' : entryPath(to))}
                />
              )}
            </div>
          </div>
        )}
      </Read>
    </div>
  );
}
