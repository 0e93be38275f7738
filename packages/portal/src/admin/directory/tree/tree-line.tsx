/** A line: an entry, which links to its page, or a note. */
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { Icon, type IconName } from '../../../kit/icons.tsx';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { entryPath } from '../paths.ts';
import type { DirectoryTree } from './directory-tree.ts';
import type { EntryLine, Line, NoteLine } from './lines.ts';

interface EntryProps {
  readonly tree: DirectoryTree;
  readonly line: EntryLine;
  /** Whether the Tab key reaches the line. */
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onFocus: () => void;
}

export function TreeLine({ line, ...props }: Omit<EntryProps, 'line'> & { readonly line: Line }) {
  return line.kind === 'entry' ? <EntryLink line={line} {...props} /> : <Note kind={line.kind} />;
}

const signs: Readonly<Record<EntryLine['sign'], IconName>> = {
  user: 'people',
  group: 'list',
  container: 'tree',
  other: 'key',
};

function EntryLink({ tree, line, isActive, isChosen, onFocus }: EntryProps) {
  const { dn, name, level, place, of, sign, isOpen } = line;
  const press = (event: MouseEvent<HTMLElement>) => {
    const isToggle = event.target instanceof Element && event.target.closest('.tree-toggle') !== null;
    if (isToggle) {
      event.preventDefault();
      tree.toggle(dn);
    } else if (isOpen === false) tree.open(dn);
  };
  return (
    <Link
      href={entryPath(dn)}
      role="treeitem"
      tabIndex={isActive ? 0 : -1}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={of}
      {...(isOpen !== undefined && { 'aria-expanded': isOpen })}
      {...(isChosen && { 'aria-current': 'page' as const })}
      onClick={press}
      onFocus={onFocus}
    >
      {isOpen === undefined ? (
        <span className="tree-gap" />
      ) : (
        <span className="tree-gap tree-toggle">
          <Icon name={isOpen ? 'down' : 'next'} />
        </span>
      )}
      <Icon name={signs[sign]} />
      <span className="break">{name}</span>
    </Link>
  );
}

const notes = { nothing: 'nothingBelow', more: 'loading', failed: 'notRead' } as const;

function Note({ kind }: Pick<NoteLine, 'kind'>) {
  const t = useTexts(directoryTexts);
  return <span className="soft small tree-note">{t(notes[kind])}</span>;
}
