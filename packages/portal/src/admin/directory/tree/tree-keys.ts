/** Keys in the tree, as WAI-ARIA has them: arrows, Home, End, and the beginning of a name. */
import { type KeyboardEvent, useRef } from 'react';
import type { DirectoryTree } from './directory-tree.ts';
import type { Line } from './lines.ts';

/** Brings the focus to a line. */
export type Move = (index: number) => void;

interface Place {
  readonly tree: DirectoryTree;
  readonly lines: readonly Line[];
  /** The line that has the focus. */
  readonly activeAt: number;
  readonly moveTo: Move;
}

/** Milliseconds between the letters of a name. */
const pause = 800;

export function useTreeKeys(place: Place): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 });
  return (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isLetter = event.key.length === 1 && (event.key !== ' ' || typed.current.text !== '');
    if (isLetter) {
      const { text, at } = typed.current;
      typed.current = {
        text: event.timeStamp - at < pause ? text + event.key : event.key,
        at: event.timeStamp,
      };
      jump(typed.current.text, place);
    } else if (!press(event.key, place)) return;
    event.preventDefault();
  };
}

/** To the next one whose name begins so; one letter goes on from line to line. */
function jump(text: string, { lines, activeAt, moveTo }: Place): void {
  const from = text.length === 1 ? activeAt + 1 : activeAt;
  const begins = (line: Line) =>
    line.kind === 'entry' && line.name.toLowerCase().startsWith(text.toLowerCase());
  const next = lines.findIndex((line, index) => index >= from && begins(line));
  const found = next >= 0 ? next : lines.findIndex(begins);
  if (found >= 0) moveTo(found);
}

/** @returns false for a key that means nothing here */
function press(key: string, { tree, lines, activeAt, moveTo }: Place): boolean {
  const line = lines[activeAt];
  if (line?.kind !== 'entry') return false;
  const go = (index: number) => {
    if (index >= 0) moveTo(index);
    return true;
  };
  const isEntry = ({ kind }: Line) => kind === 'entry';
  const next = () => lines.findIndex((one, index) => index > activeAt && isEntry(one));
  switch (key) {
    case 'ArrowDown':
      return go(next());
    case 'ArrowUp':
      return go(lines.findLastIndex((one, index) => index < activeAt && isEntry(one)));
    case 'ArrowRight':
      if (line.isOpen) return lines[activeAt + 1]?.level === line.level + 1 ? go(next()) : true;
      if (line.isOpen === false) tree.open(line.dn);
      return true;
    case 'ArrowLeft':
      if (line.isOpen) tree.close(line.dn);
      else go(lines.findLastIndex(({ level }, index) => index < activeAt && level < line.level));
      return true;
    case 'Home':
      return go(lines.findIndex(isEntry));
    case 'End':
      return go(lines.findLastIndex(isEntry));
    default:
      return false;
  }
}
