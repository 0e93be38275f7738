/** What docs/guide/directories.md tells people to write: its blocks, read out of it. */
import { readBlocks } from '../guides/blocks.ts';

const blocks = readBlocks('docs/guide/directories.md');

/** The first block of a language under a heading. */
export function blockUnder(heading: string, language: string): string {
  const found = blocks.find((block) => block.heading === heading && block.language === language);
  if (!found) throw new Error(`directories.md has no ${language} under ${heading}`);
  return found.text;
}
