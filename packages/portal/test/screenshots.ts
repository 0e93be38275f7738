/** What `npm run screenshots` runs: pictures of all scenes, for the guides. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openGround } from './ground.ts';
import { adminSettings } from './scenes/admin.ts';
import { allScenes } from './scenes/index.ts';
import { pictured, play } from './scenes/play.ts';
import { selfSettings } from './scenes/self.ts';

const folder = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
await mkdir(folder, { recursive: true });
const ground = await openGround({ ...adminSettings, ...selfSettings });
try {
  for (const scenes of allScenes) await play(scenes, ground, pictured(folder));
} finally {
  await ground.close();
}
