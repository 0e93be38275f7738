/** English that a page in German shows: sentences of our catalogues and of the server, but for what is marked as English. */
import { readdir } from 'node:fs/promises';
import { errorTable } from '@watchword/core';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';

const folder = new URL('../src/texts/', import.meta.url);

type Words = Readonly<Record<string, string>>;

async function catalogues(): Promise<readonly { readonly en: Words; readonly de: Words }[]> {
  const areas = (await readdir(folder, { withFileTypes: true })).filter((one) => one.isDirectory());
  return Promise.all(
    areas.map(async ({ name }) => {
      const { en } = await import(new URL(`${name}/en.ts`, folder).href);
      const { default: de } = await import(new URL(`${name}/de.ts`, folder).href);
      return { en, de };
    }),
  );
}

/** The longest piece of a text without a variable: what is to be found of it on a page. */
const piecesOf = (text: string): readonly string[] =>
  text.split(/\||\{\w+\}/).filter((piece) => piece.length >= 12 && piece.trim().includes(' '));

/** Built once. */
const sentences = (async () => {
  const all = await catalogues();
  const german = all.flatMap(({ de }) => Object.values(de)).join('\n');
  const ours = all.flatMap(({ en }) => Object.values(en));
  const theirs = Object.values(errorTable).map(({ message }) => message);
  return [...ours, ...theirs].flatMap(piecesOf).filter((piece) => !german.includes(piece));
})();

/** What somebody reads or hears of a page. */
const readOn = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const seen = document.body.cloneNode(true) as HTMLElement;
    for (const part of seen.querySelectorAll('[lang="en"], script, style')) part.remove();
    const spoken = Array.from(seen.querySelectorAll('*'), (one) =>
      ['aria-label', 'alt', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? '').join('\n'),
    );
    return [document.title, seen.textContent, ...spoken].join('\n');
  });

export async function englishOn(page: Page): Promise<readonly string[]> {
  const text = await readOn(page);
  return (await sentences).filter((sentence) => text.includes(sentence));
}
