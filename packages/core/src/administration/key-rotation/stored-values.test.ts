import { expect, it } from 'vitest';
import { openFixture } from '../../testing/bed/fixture.ts';
import { sealedValues } from './stored-values.ts';

it('holds few values of a family at a time, as each may have a megabyte', async () => {
  const node = await openFixture();
  const { store, keys } = node.ports;
  const names = Array.from({ length: 100 }, (_, number) => `part:${number}`);
  await Promise.all(names.map((name) => store.put(name, keys.seal(Buffer.from(name), name), 60)));
  const pages: number[] = [];
  for await (const page of sealedValues('part', { store, keys }).items()) pages.push(page.length);
  expect(pages).toEqual([32, 32, 32, 4]);
  await node.close();
});
