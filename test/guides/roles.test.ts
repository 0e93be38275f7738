/** Roles in the guides and the reference of methods: readers copy them, with what a wildcard gives beside. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const docs = new URL('../../docs/', import.meta.url);

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/["'`]?methods["'`]?:\s*\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.replace(/["'\s]/g, '')),
  );

it('finds only methods named one by one in the roles of the guide', async () => {
  const files = (await readdir(docs, { recursive: true })).filter((name) =>
    /^(?:guide\/.*\.md|reference\/(?:methods\.md|openrpc\.json))$/.test(name),
  );
  const found = await Promise.all(
    files.map(async (file) =>
      namesIn(await readFile(new URL(file, docs), 'utf8')).map((name) => ({ file, name })),
    ),
  );
  expect(found.flat().length).toBeGreaterThan(40);
  expect(found.flat().filter(({ name }) => name.includes('*'))).toEqual([]);
});
