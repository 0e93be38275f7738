/** The API key that a guide has made, in the configuration that the servers are started with again. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Block } from './blocks.ts';
import { typeBlock } from './guide.ts';
import type { Stand } from './stand.ts';

/** @param services that it opens, as the guide writes them */
export const makesApiKey =
  (...services: readonly string[]) =>
  async (block: Block, stand: Stand): Promise<void> => {
    await typeBlock(block, stand);
    const made = await readFile(join(stand.folder, 'made.txt'), 'utf8');
    const [, id = '', secret = ''] = /^([0-9]+)_([0-9a-f]{40})$/m.exec(made) ?? [];
    await stand.restart({
      [`WATCHWORD_API_KEYS__${id}__SHA256`]: createHash('sha256').update(secret).digest('hex'),
      [`WATCHWORD_API_KEYS__${id}__SERVICES`]: services.map((word) => `"${word}"`).join(','),
    });
  };
