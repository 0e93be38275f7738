/** The page of the directory: a tree, and beside it the chosen entry. Its address names the entry: `/directory?dn=…`. */
import { useLocation, useSearchParams } from 'wouter';
import { Empty } from '../../kit/show.tsx';
import { Read } from '../../shell/read.tsx';
import { directoryTexts } from '../../texts/directory/index.ts';
import { useTexts } from '../../texts/text.ts';
import { EntryView } from './entry-view.tsx';
import { entryPath } from './paths.ts';
import { Tree } from './tree/tree.tsx';
import { useTree } from './tree/use-tree.ts';

export function DirectoryPage() {
  const t = useTexts(directoryTexts);
  const [search] = useSearchParams();
  const [, go] = useLocation();
  const dn = search.get('dn') ?? undefined;
  const tree = useTree();
  return (
    <div className="stack">
      <h1>{t('title')}</h1>
      <Read query={tree}>
        {(found) => (
          <div className="beside" data-chosen={dn !== undefined}>
            <Tree tree={found} chosen={dn} />
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
