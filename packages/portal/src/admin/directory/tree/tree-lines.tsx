/**
 * The lines of the tree. Only visible lines are in the page, so that a hundred thousand cost as much as a page of them. Screen readers
 * get level, position and number (WAI-ARIA, `tree`).
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { directoryTexts } from '../../../texts/directory/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { keyOf } from '../names.ts';
import type { DirectoryTree } from './directory-tree.ts';
import type { Line } from './lines.ts';
import { type Move, useTreeKeys } from './tree-keys.ts';
import { TreeLine } from './tree-line.tsx';

interface TreeLinesProps {
  readonly tree: DirectoryTree;
  readonly lines: readonly Line[];
  readonly chosen: string | undefined;
}

/** Pixels. */
const usualHeight = 36;
/** Lines above and below those in sight. */
const spare = 10;

export function TreeLines({ tree, lines, chosen }: TreeLinesProps) {
  const t = useTexts(directoryTexts);
  // Held as state: whoever counts the lines in sight is told when it is there.
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [focused, setFocused] = useState<string>();
  const chosenKey = chosen === undefined ? undefined : keyOf(chosen);
  const activeAt = activeIn(lines, [focused, chosenKey]);
  const isMoving = useRef(false);
  const sight = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame,
    getItemKey: (index) => lines[index]?.key ?? index,
    estimateSize: () => usualHeight,
    overscan: spare,
    initialOffset: tree.place,
    // What has the focus stays in the page, wherever it is scrolled to.
    rangeExtractor: useCallback((range: Range) => withOne(range, activeAt), [activeAt]),
    onChange: ({ scrollOffset, scrollRect }) => {
      if (scrollRect?.height) tree.place = scrollOffset ?? 0;
    },
  });
  const moveTo: Move = (index) => {
    isMoving.current = true;
    setFocused(lines[index]?.key);
    sight.scrollToIndex(index);
  };
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    frame?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });
  // On a phone the tree is away while an entry is looked at.
  useLayoutEffect(() => {
    if (frame && chosen === undefined) frame.scrollTop = tree.place;
  }, [frame, chosen, tree]);
  // The chosen one is brought into sight once, when its line is there.
  useEffect(() => {
    if (chosenKey === tree.shown) return;
    const index = lines.findIndex(({ key }) => key === chosenKey);
    if (index >= 0) sight.scrollToIndex(index);
    if (index >= 0 || chosenKey === undefined) tree.shown = chosenKey;
  }, [lines, chosenKey, tree, sight]);
  useEffect(() => {
    const { startIndex, endIndex } = sight.range ?? { startIndex: 0, endIndex: -1 };
    for (const line of lines.slice(startIndex, endIndex + spare))
      if (line.kind === 'more') void line.branch.more();
  });
  const onKey = useTreeKeys({ tree, lines, activeAt, moveTo });
  return (
    <div className="tree" ref={setFrame}>
      <div
        role="tree"
        aria-label={t('tree')}
        className="tree-lines"
        style={{ height: sight.getTotalSize() }}
        tabIndex={-1}
        onKeyDown={(event: KeyboardEvent) => onKey(event)}
      >
        {sight.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <div
              key={line.key}
              ref={sight.measureElement}
              data-index={index}
              role="none"
              className="tree-line"
              style={{ transform: `translateY(${start}px)`, paddingInlineStart: `${line.level - 1}rem` }}
            >
              <TreeLine
                {...{ tree, line, isActive: index === activeAt, isChosen: line.key === chosenKey }}
                onFocus={() => setFocused(line.key)}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Returns the line that the Tab key reaches: the first of the keys that has one, else the first line. */
function activeIn(lines: readonly Line[], keys: readonly (string | undefined)[]): number {
  const places = keys.map((key) => (key === undefined ? -1 : lines.findIndex((line) => line.key === key)));
  return places.find((place) => place >= 0) ?? 0;
}

function withOne(range: Range, index: number): number[] {
  const shown = defaultRangeExtractor(range);
  if (index >= range.count || shown.includes(index)) return shown;
  return [...shown, index].sort((one, other) => one - other);
}
