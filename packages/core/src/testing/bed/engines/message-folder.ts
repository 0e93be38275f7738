/** The folder that takes messages in the place of a gateway, read as people read it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the match of a pattern in a message, and waits for one. */
export async function readMessage(folder: string, pattern: RegExp): Promise<string> {
  for (;;) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.txt'))) {
      const [found] = pattern.exec(await readFile(join(folder, name), 'utf8')) ?? [];
      if (found !== undefined) return found;
    }
    await sleep(50);
  }
}
