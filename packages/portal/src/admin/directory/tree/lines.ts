/** The open tree as a flat list of lines, so that only visible lines must be rendered. */
import { keyOf } from '../names.ts';
import type { Branch, Child } from './branch.ts';

interface AnyLine {
  readonly key: string;
  /** From 1. */
  readonly level: number;
}

export interface EntryLine extends AnyLine {
  readonly kind: 'entry';
  readonly dn: string;
  readonly name: string;
  readonly sign: Child['kind'];
  /** Undefined: the entry cannot have children. */
  readonly isOpen: boolean | undefined;
  /** Among those that stand beside it, from 1. */
  readonly place: number;
  /** The number of siblings; -1: unknown (WAI-ARIA, `aria-setsize`). */
  readonly of: number;
}

/** A note in place of entries. */
export interface NoteLine extends AnyLine {
  readonly kind: 'nothing' | 'more' | 'failed';
  readonly branch: Branch;
}

export type Line = EntryLine | NoteLine;

type Shown = Pick<Child, 'dn' | 'name' | 'kind'>;

export const mayOpen = (kind: Child['kind']): boolean => kind === 'container' || kind === 'other';

/** @param branchOf by the key of its container; undefined: it is closed */
export function linesOf(
  roots: readonly string[],
  branchOf: (key: string) => Branch | undefined,
): readonly Line[] {
  const lines: Line[] = [];
  const addAll = (children: ReadonlyMap<string, Shown>, level: number, of: number) => {
    let place = 0;
    for (const [key, { dn, name, kind: sign }] of children) {
      place += 1;
      const branch = branchOf(key);
      const isOpen = mayOpen(sign) ? branch !== undefined : undefined;
      lines.push({ kind: 'entry', key, level, dn, name, sign, isOpen, place, of });
      if (branch) addBranch(branch, level + 1);
    }
  };
  const addBranch = (branch: Branch, level: number) => {
    const { entries, isWhole, container, error } = branch;
    addAll(entries, level, isWhole ? entries.size : -1);
    const note = (kind: NoteLine['kind']) =>
      lines.push({ kind, key: `${kind} ${keyOf(container)}`, level, branch });
    if (error !== undefined) note('failed');
    else if (!isWhole) note('more');
    else if (entries.size === 0) note('nothing');
  };
  const tops = roots.map((dn) => [keyOf(dn), { dn, name: dn, kind: 'container' }] as const);
  addAll(new Map(tops), 1, roots.length);
  return lines;
}
