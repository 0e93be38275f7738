/** The tree, its filter, and the number of its entries. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Field } from '../../../kit/field.tsx';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { useTexts } from '../../../texts/text.ts';
import type { DirectoryTree } from './directory-tree.ts';
import { Parts } from './parts.tsx';
import { TreeLines } from './tree-lines.tsx';

interface TreeProps {
  readonly tree: DirectoryTree;
  readonly chosen: string | undefined;
}

export function Tree({ tree, chosen }: TreeProps) {
  const t = useTexts(directoryTexts);
  const lines = useSyncExternalStore(tree.subscribe, tree.lines);
  useEffect(() => {
    void tree.choose(chosen);
  }, [tree, chosen]);
  return (
    <nav className="beside-list tree-pane" aria-label={t('tree')}>
      <Narrow tree={tree} isFirst={chosen === undefined} />
      <TreeLines tree={tree} lines={lines} chosen={chosen} />
      <Parts tree={tree} />
    </nav>
  );
}

/** Milliseconds without a key before the server is asked. */
const pause = 250;

interface NarrowProps extends Pick<TreeProps, 'tree'> {
  /** Nothing is chosen yet. */
  readonly isFirst: boolean;
}

function Narrow({ tree, isFirst }: NarrowProps) {
  const t = useTexts(directoryTexts);
  const [typed, setTyped] = useState(tree.text);
  useEffect(() => {
    const text = typed.trim();
    if (text === tree.text) return undefined;
    const timer = setTimeout(() => tree.narrow(text), pause);
    return () => clearTimeout(timer);
  }, [tree, typed]);
  return (
    <Field
      label={t('narrow')}
      description={t('narrowHint')}
      type="search"
      value={typed}
      onChange={setTyped}
      autoFocus={isFirst}
    />
  );
}
