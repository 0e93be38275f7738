/** Citations of documents in comments and pages, and whether the cited file and heading are in the repository. */

import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { root, textOf } from './blocks.ts';

export interface Citation {
  /** The path of the citing file, below the root. */
  readonly file: string;
  /** The citation as it is written: `docs/concepts/limits.md#lockout`. */
  readonly text: string;
  readonly document: string;
  readonly anchor?: string | undefined;
}

const folders = ['packages', 'examples', 'test', 'bench', 'scripts', 'docs', 'deploy', 'schema'];
const skipped = /^(?:node_modules|dist|\..+)$/;
const citing = /\.(?:ts|tsx|mjs|js|md)$/;

/** Lists the files below a folder; links are not followed. */
function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(`${root}${folder}`, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile()) return citing.test(entry.name) ? [path] : [];
    if (!entry.isDirectory() || skipped.test(entry.name)) return [];
    return folder !== '' || folders.includes(entry.name) ? filesIn(path) : [];
  });
}

/** All files of the repository that may cite: sources and pages. */
export const citingFiles: readonly string[] = filesIn('');

const comment = /\/\*[\s\S]*?\*\/|(?:^|[\s;{(])\/\/.*$/gm;

/** Returns the text of a file that may cite: the comments of a source, all of a page, each on one line. */
function citingText(file: string): string {
  const text = textOf(file);
  if (file.endsWith('.md')) return text;
  return (text.match(comment) ?? []).map((one) => one.replaceAll(/\s*\n\s*(?:\*|\/\/)? ?/g, ' ')).join('\n');
}

const cited = /(?<![\w/.<>*-])(?!NNNN)((?:[\w.-]+\/)*[\w-]+\.md)\b(?:#([\w-]+))?/g;

/** Finds the documents that a file cites by name. */
export function citationsIn(file: string): readonly Citation[] {
  const text = citingText(file).replaceAll(/https?:\S+/g, '');
  return [...text.matchAll(cited)].map(([whole, document = '', anchor]) => ({
    ...{ file, text: whole },
    ...{ document, anchor },
  }));
}

const citedSource = /(?<![\w/.@<>*-])((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|mjs))\b/g;

/** Finds the sources that the comments of a file name and that are not in the repository. They may be named by the end of their path. */
export function missingSources(file: string): readonly string[] {
  if (file.endsWith('.md')) return [];
  const text = citingText(file).replaceAll(/https?:\S+/g, '');
  const named = Array.from(text.matchAll(citedSource), ([, path = '']) => path);
  return named.filter((path) => !citingFiles.some((one) => one === path || one.endsWith(`/${path}`)));
}

/** Sections of documents that have no numbered sections, or are not in the repository. */
const numbered = /(?:\.md|\bspecification|\bcontract|\binterface)[`'"]?,? §+ ?[\d.]+/gi;

/** Finds citations by the number of a section, in strings too. */
export const numberedCitations = (file: string): readonly string[] =>
  textOf(file)
    .replaceAll(/\s*\n\s*(?:\*|\/\/)? ?/g, ' ')
    .match(numbered) ?? [];

/** Returns the paths that a name may mean: from the root, from the folder of the file, or from a folder above it. */
function pathsOf({ file, document }: Citation): readonly string[] {
  const steps = posix.dirname(file).split('/');
  const above = steps.map((_, index) => steps.slice(0, steps.length - index).join('/'));
  return [document, ...above.map((folder) => posix.join(folder, document))];
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Returns GitHub's names for the headings of a page. */
export const anchorsOf = (page: string): readonly string[] =>
  [
    ...textOf(page)
      .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ].map(([, heading = '']) => anchorOf(heading));

/** Returns whether the cited file, and the heading in it, are in the repository. */
export function isFound(citation: Citation): boolean {
  const { anchor } = citation;
  const path = pathsOf(citation).find((one) => existsSync(`${root}${one}`));
  return path !== undefined && (anchor === undefined || anchorsOf(path).includes(anchor));
}
