/** Engines of a program that embeds the service, with an application of its own. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundled } from '../../core/src/applications/index.ts';
import { application } from '../../core/src/table/application.ts';
import { scratchFolder } from '../../core/src/testing/bed/scratch.ts';
import { type Engines, openEmbedded } from './index.ts';

const parking = application({
  ...{ name: 'Parking', service: 'parking', settings: {}, publicData: [], methods: {}, operations: {} },
  sealedFamilies: ['plates'],
});

let folder: string;
let engines: Engines;
beforeAll(async () => {
  const applications = { ...bundled, [parking.name]: parking };
  folder = await scratchFolder('own-engines');
  engines = await openEmbedded(folder, {
    base: 'dc=example,dc=org',
    applications,
  });
});
afterAll(async () => {
  await engines.directory.close();
  await engines.close();
  await rm(folder, { recursive: true });
});

it('count what an application of its own has sealed with the others', async () => {
  const { store, keys, sealed } = engines;
  await store.put('plates:1', keys.seal(Buffer.from('LU 4711'), 'plates:1'), 60);
  const found: (string | undefined)[] = [];
  for (const place of sealed.filter(({ name }) => name.includes('plates')))
    for await (const page of place.items()) found.push(...page.flatMap((holder) => holder.keys));
  expect(found).toEqual([keys.ids[0]]);
});
