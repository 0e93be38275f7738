/** The footer of large containers: the number of loaded entries, and a button for all. */
import { Button } from '../../../kit/button.tsx';
import { Failure } from '../../../shell/failure.tsx';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { nameOf } from '../names.ts';
import type { Branch } from './branch.ts';
import type { DirectoryTree } from './directory-tree.ts';

export function Parts({ tree }: { readonly tree: DirectoryTree }) {
  const t = useTexts(directoryTexts);
  const branches = tree.large();
  const words = ({ container, isWhole, entries }: Branch) =>
    t(isWhole ? 'allShown' : 'partShown', { name: nameOf(container), count: entries.size });
  return (
    <>
      {/* What changes a hundred times on the way is not read out. */}
      <div role="status" className="visually-hidden">
        {branches
          .filter(({ wantsAll }) => !wantsAll)
          .map(words)
          .join(' ')}
      </div>
      {branches.map((branch) => (
        <div key={branch.container} className="stack-tight">
          {branch.error !== undefined && <Failure error={branch.error} onRetry={() => void branch.more()} />}
          <div className="row-apart small soft">
            <span aria-hidden="true">{words(branch)}</span>
            {!branch.isWhole && (
              <Button
                size="small"
                aria-label={t(branch.wantsAll ? 'stopIn' : 'showAllIn', { name: nameOf(branch.container) })}
                onPress={() => (branch.wantsAll ? branch.stop() : void branch.all())}
              >
                {t(branch.wantsAll ? 'stop' : 'showAll')}
              </Button>
            )}
          </div>
        </div>
      ))}
    </>
  );
}
