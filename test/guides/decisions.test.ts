/** docs/decisions.md: grouped by folder, and each entry says what was decided, why, and what it costs. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { root, textOf } from './blocks.ts';

const [, ...groups] = textOf('docs/decisions.md').split(/^## /m);

describe.each(groups.map((group) => group.split('\n', 1)[0] ?? '').map((name, index) => ({ name, index })))(
  '$name',
  ({ name, index }) => {
    const entries = (groups[index] ?? '').split(/^- /m).slice(1);

    it('is a folder, and one group', () => {
      expect(existsSync(root + name)).toBe(true);
      expect(groups.filter((group) => group.startsWith(`${name}\n`))).toHaveLength(1);
    });

    it('has decision, reason and cost in every entry', () => {
      const [, ...rest] = (groups[index] ?? '').split('\n');
      expect(rest.filter((line) => line !== '' && !/^(?:- \*\*| {2}\S)/.test(line))).toEqual([]);
      const shape = /^\*\*.+\*\*[\s\S]*\n {2}Because: [\s\S]+\n {2}Cost: [\s\S]+$/;
      expect(entries.filter((entry) => !shape.test(entry))).toEqual([]);
      expect(entries.length).toBeGreaterThan(0);
    });
  },
);
