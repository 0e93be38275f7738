/**
 * Runs a guide as a reader does, block by block. Every block has a runner, by its language or by its place; one
 * without fails. A yaml block is a configuration, wherever it stands.
 */

import { readConfig } from '@watchword/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readYaml } from '../../packages/cli/src/config-file/yaml-source.ts';
import { type Block, readBlocks } from './blocks.ts';
import { expectPrinted, type Shell, stepsOf } from './shell.ts';
import { isUnrunnable, parseBlock } from './unrunnable.ts';

/** What a guide is run on. */
export interface Ground {
  readonly shell: Shell;
  here(text: string): string;
  close(): Promise<void>;
}

export type Runner<G extends Ground> = (block: Block, ground: G) => Promise<unknown> | unknown;

export interface Reading<G extends Ground> {
  open(): Promise<G>;
  /** By language (`ts`), or by place (`From TypeScript/ts`), which goes before. */
  readonly runners?: Readonly<Record<string, Runner<G>>>;
}

/** @param page path below the root */
export function runGuide<G extends Ground>(page: string, { open, runners = {} }: Reading<G>): void {
  const blocks = readBlocks(page).filter(({ language }) => language !== 'mermaid');
  const usual: Readonly<Record<string, Runner<G>>> = {
    sh: typeBlock,
    yaml: checkConfiguration,
    json: parseJson,
  };
  describe(page, () => {
    let ground: G;
    beforeAll(async () => {
      ground = await open();
    });
    afterAll(() => ground?.close());

    it('has a block for every runner', () => {
      const known = blocks.flatMap(({ id, language }) => [id, language]);
      expect(Object.keys(runners).filter((name) => !known.includes(name))).toEqual([]);
    });

    it.each(blocks)('$id, line $line', async (block) => {
      const runner = isUnrunnable(block)
        ? parseBlock
        : (runners[block.id] ?? runners[block.language] ?? usual[block.language]);
      if (!runner) throw new Error(`${page}, line ${block.line}: nothing runs this block`);
      await runner(block, ground);
    });
  });
}

/** A line that is typed before, where it goes on running: the ground has done it. */
const elsewhere = /^.*# in another terminal\n/gm;

/** Types a block into the shell, and compares what is printed with what the guide says. */
export async function typeBlock({ text }: Pick<Block, 'text'>, { shell, here }: Ground): Promise<void> {
  for (const { command, answer } of stepsOf(here(text.replaceAll(elsewhere, '')))) {
    const printed = await shell.run(command);
    if (answer !== undefined) expectPrinted(printed, answer);
    // What is not shown in the guide has gone well.
    else expect(printed).not.toMatch(/"error": *\{|"code": *0\b/);
  }
}

/** What an excerpt of a configuration may leave out. */
const least = {
  directory: { type: 'embedded', base: 'dc=example,dc=com' },
  domains: { Default: { base: 'dc=example,dc=com' } },
};

/** Read as the servers read it. */
export function checkConfiguration({ text, page }: Block): void {
  readConfig({ ...least, ...Object(readYaml(text, page).data) });
}

const parseJson = ({ text }: Block): unknown => expect(JSON.parse(text)).toBeDefined();
