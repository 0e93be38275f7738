/** What a start leaves and says. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoToken, QuickStart } from '../src/index.ts';

export const lastLine = 'Ctrl-C ends it.';

/** @param data the folder of a start */
export const readFacts = async (data: string): Promise<QuickStart> =>
  JSON.parse(await readFile(join(data, 'quickstart.json'), 'utf8'));

export const tokenOf = (secret: string): DemoToken => ({
  ...{ type: 'TOTP', secret, algorithm: 'SHA1', digits: 6, period: 30 },
});
