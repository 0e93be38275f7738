import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Environment } from './environment.ts';

/**
 * Reads a table in pages, and yields to the event loop between two pages. No transaction is open meanwhile.
 * @param range `end` is exclusive; `most`: records of a page
 */
export async function* pagesOf<V>(
  environment: Environment,
  table: Database<V, string>,
  { start, end, most = 200 }: { start?: string; end?: string; most?: number | undefined } = {},
): AsyncGenerator<readonly (readonly [key: string, value: V])[]> {
  for (let from = start; ; await nextTurn()) {
    environment.assertOpen();
    const range = {
      ...(from !== undefined && { start: from }),
      ...(end !== undefined && { end }),
      limit: most,
    };
    const page = [...table.getRange(range)].map(({ key, value }) => [key, value] as const);
    const last = page.at(-1)?.[0];
    if (last === undefined) return;
    yield page;
    if (page.length < most) return;
    from = `${last}\u0000`;
  }
}
