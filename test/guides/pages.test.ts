/** Every page that has a fenced block is read by a test in this folder, to the last block. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages, readBlocks, textOf } from './blocks.ts';
import { anchorsOf } from './citations.ts';
import { reasons } from './unrunnable.ts';

const tests = readdirSync(new URL('.', import.meta.url))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => textOf(`test/guides/${name}`))
  .join('\n');

describe.each(pages)('%s', (page) => {
  it('has no fenced block that nothing runs', () => {
    // A drawing of packages is compared with what they declare, in packages.test.ts.
    const blocks = readBlocks(page).filter(({ language }) => language !== 'mermaid');
    expect(blocks.filter(({ language }) => language === '').map(({ line }) => line)).toEqual([]);
    if (blocks.length > 0)
      expect(tests).toMatch(new RegExp(`runGuide(?:<\\w+>)?\\(\\s*'${page}'|page = '${page}'`));
  });

  it('links to headings that there are', () => {
    const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const missing = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? page : new URL(path, `file:///${page}`).pathname.slice(1);
      return target.endsWith('.md') && !anchorsOf(target).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
  });
});

it('the list of what nobody types names blocks that there are', () => {
  const known = pages.flatMap((page) => readBlocks(page).map(({ id }) => `${page}: ${id}`));
  expect(Object.keys(reasons).filter((place) => !known.includes(place))).toEqual([]);
});
