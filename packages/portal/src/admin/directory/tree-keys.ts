/** Arrows in a tree of links: up and down go from line to line, right opens, left closes or goes to what stands above. */
import { useEffect, useRef } from 'react';

export function useTreeKeys() {
  const tree = useRef<HTMLElement>(null);
  useEffect(() => {
    const root = tree.current;
    const onKey = (event: KeyboardEvent) => root && press(event, root);
    root?.addEventListener('keydown', onKey);
    return () => root?.removeEventListener('keydown', onKey);
  }, []);
  return tree;
}

function press(event: KeyboardEvent, root: HTMLElement): void {
  const line = event.target instanceof Element ? event.target.closest<HTMLElement>('.tree-line') : null;
  if (line === null || event.altKey || event.ctrlKey || event.metaKey) return;
  if (move(event.key, line, root)) event.preventDefault();
}

function move(key: string, line: HTMLElement, root: HTMLElement): boolean {
  const lines = [...root.querySelectorAll<HTMLElement>('.tree-line')];
  const toggle = line.querySelector<HTMLElement>('[aria-expanded]');
  const isOpen = toggle?.getAttribute('aria-expanded') === 'true';
  const next = lines[lines.indexOf(line) + 1];
  switch (key) {
    case 'ArrowDown':
      return focus(next);
    case 'ArrowUp':
      return focus(lines[lines.indexOf(line) - 1]);
    case 'ArrowRight':
      if (isOpen) return focus(next);
      toggle?.click();
      return toggle !== null;
    case 'ArrowLeft':
      if (isOpen) toggle?.click();
      else focus(line.parentElement?.parentElement?.closest('li')?.querySelector<HTMLElement>('.tree-line'));
      return true;
    case 'Home':
      return focus(lines[0]);
    case 'End':
      return focus(lines.at(-1));
    default:
      return false;
  }
}

function focus(line: HTMLElement | null | undefined): boolean {
  line?.querySelector('a')?.focus();
  return line !== null && line !== undefined;
}
