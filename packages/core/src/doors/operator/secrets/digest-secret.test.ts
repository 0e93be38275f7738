/** Digests stay the same over a change of keys, on real stores. */
import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { openEnvironment, openStore } from '../../../../../embedded/src/index.ts';
import { systemClock, systemRandom } from '../../../../../node/src/machine/index.ts';
import { StartError } from '../../../foundation/errors/start-error.ts';
import { KeyRing } from '../../../ports/keys.ts';
import { scratchFolder } from '../../../testing/bed/scratch.ts';
import { withInstallationSecret } from './digest-secret.ts';

const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const ringOf = (...keys: Uint8Array[]) => new KeyRing(keys, systemRandom);

async function openScratch() {
  const folder = await scratchFolder('digest');
  const environment = await openEnvironment(folder);
  onTestFinished(async () => {
    await environment.close();
    rmSync(folder, { recursive: true });
  });
  return { store: openStore(environment, systemClock), random: systemRandom };
}

it('digests are those of the store, whoever opens it and with whatever ring', async () => {
  const scratch = await openScratch();
  const rings = await Promise.all([1, 2, 3].map(() => withInstallationSecret(ringOf(older), scratch)));
  const later = await withInstallationSecret(ringOf(newer, older), scratch);
  const digests = [...rings, later].map((ring) => ring.digest('text', 'test'));
  expect(new Set(digests).size).toBe(1);
  const elsewhere = await withInstallationSecret(ringOf(older), await openScratch());
  expect(elsewhere.digest('text', 'test')).not.toBe(digests[0]);
});

it('a ring that has lost the key is told so', async () => {
  const scratch = await openScratch();
  await withInstallationSecret(ringOf(older), scratch);
  const opening = withInstallationSecret(ringOf(newer), scratch);
  await expect(opening).rejects.toThrow(StartError);
  await expect(opening).rejects.toThrow(/cannot be opened with the keys of keys_file; put the key back/);
});
