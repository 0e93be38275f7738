/** Goes through the scenes of a site in one window. */
import type { Page } from '../../../core/src/testing/bed/engines/browser.ts';
import type { Ground } from '../ground.ts';
import type { Scenes } from './scene.ts';

type Look = (name: string, page: Page) => Promise<unknown>;

/** @param look told when a scene is to be seen */
export async function play({ before, signIn, inside }: Scenes, ground: Ground, look: Look): Promise<void> {
  // Nothing moves: a picture is as the next one.
  const page = await ground.open({ locale: 'en-US', reducedMotion: 'reduce', viewport: wide });
  try {
    for (const scene of before) {
      await scene.show(page, ground);
      await look(scene.name, page);
    }
    await signIn(page, ground);
    for (const scene of inside) {
      await scene.show(page, ground);
      await look(scene.name, page);
    }
  } finally {
    await page.context().close();
  }
}

const wide = { width: 1200, height: 800 };
const phone = { width: 390, height: 780 };

const windows = {
  dark: { size: wide, colorScheme: 'dark' },
  phone: { size: phone, colorScheme: 'light' },
  light: { size: wide, colorScheme: 'light' },
} as const;

/** Pictures of a scene, each some 50 kB: `FOLDER/admin-person-dark.jpg`. */
export const pictured =
  (folder: string): Look =>
  async (scene, page) => {
    for (const [name, { size, colorScheme }] of Object.entries(windows)) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const path = `${folder}/${scene}-${name}.jpg`;
      await page.screenshot({ path, type: 'jpeg', quality: 70 });
    }
  };
