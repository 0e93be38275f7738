/** The least that a page needs: a folder with the repository at hand, and a shell in it. */
import type { Ground } from './guide.ts';
import { openPlace } from './place.ts';
import { openShell } from './shell.ts';

export interface Room extends Ground {
  readonly folder: string;
}

export async function openRoom(): Promise<Room> {
  const { folder, close } = await openPlace();
  const shell = openShell({ folder, environment: {} });
  return {
    ...{ folder, shell },
    here: (text) => text,
    close: async () => {
      await shell.close();
      await close();
    },
  };
}
