/** The pages that people read, and the fenced blocks in them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of a page, as it stands there, without the indentation of a list. */
export interface Block {
  /** Path of the page below the root. */
  readonly page: string;
  readonly heading: string;
  /** What stands behind the opening fence; empty: nothing. */
  readonly language: string;
  /** `heading/language`, with `/2` and so on for further ones of a language under one heading. */
  readonly id: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly text: string;
}

const folders = [
  '',
  'docs/',
  'docs/guide/',
  'docs/decisions/',
  'docs/concepts/',
  'deploy/',
  ...below('examples/'),
  ...below('packages/'),
];

/** Every page that somebody has written; what is generated is compared with the code elsewhere. */
export const pages: readonly string[] = folders
  .flatMap((folder) => namesIn(folder).map((name) => `${folder}${name}`))
  .filter((path) => path.endsWith('.md'));

function below(folder: string): readonly string[] {
  return namesIn(folder).map((name) => `${folder}${name}/`);
}

function namesIn(folder: string): readonly string[] {
  return existsSync(`${root}${folder}`) ? readdirSync(`${root}${folder}`) : [];
}

export const textOf = (page: string): string => readFileSync(`${root}${page}`, 'utf8');

/** @param page path below the root */
export function readBlocks(page: string): readonly Block[] {
  const seen = new Map<string, number>();
  return fences(textOf(page)).map(({ heading, language, ...rest }) => {
    const name = `${heading}/${language}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return { page, heading, language, id: count === 1 ? name : `${name}/${count}`, ...rest };
  });
}

type Fence = Omit<Block, 'page' | 'id'>;

const fence = /^( *)```(\S*)\n([\s\S]*?)^ *```$/gm;

function fences(text: string): readonly Fence[] {
  return [...text.matchAll(fence)].map(({ 1: indent = '', 2: language = '', 3: body = '', index }) => {
    const before = text.slice(0, index);
    const heading = [...before.replaceAll(fence, '').matchAll(/^#+ (.+)$/gm)].at(-1)?.[1] ?? '';
    const line = before.split('\n').length;
    return { heading, language, line, text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}
