/** The scenes of the guides can still be come to; `npm run screenshots` takes the pictures. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ground, openGround } from './ground.ts';
import { adminSettings } from './scenes/admin.ts';
import { allScenes } from './scenes/index.ts';
import { play } from './scenes/play.ts';
import { selfSettings } from './scenes/self.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround({ ...adminSettings, ...selfSettings });
});
afterAll(() => ground.close());

describe.each(allScenes)('the scenes of $site', (scenes) => {
  it('are all there', async () => {
    const seen: string[] = [];
    await play(scenes, ground, async (name) => seen.push(name));
    expect(seen).toEqual([...scenes.before, ...scenes.inside].map(({ name }) => name));
  });
});
