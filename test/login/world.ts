/** A service with clients, groups and users that the tables speak of, and every door to it. */
import { addGroup, Cast } from './cast.ts';
import { openClientDoor } from './client-door.ts';
import { directories, type Ground } from './directories.ts';
import { type Door, doors } from './doors.ts';
import { done } from './people.ts';
import { config, groups, modes } from './rows/policies.ts';

export interface World {
  readonly ground: Ground;
  readonly cast: Cast;
  door(name: string): Door;
  close(): Promise<void>;
}

/** The typed client is over HTTPS here. */
export const doorNames: readonly string[] = Object.keys(doors);

export async function openWorld(directory: keyof typeof directories): Promise<World> {
  const ground = await directories[directory](config);
  for (const [name, settings] of Object.entries(groups)) await addGroup(ground, name, settings);
  for (const mode of modes) await done(ground, 'Set_Client_Mode', mode);
  const { service } = ground;
  const client = await openClientDoor(service);
  const opened = new Map(Object.entries(doors).map(([name, open]) => [name, open(service)]));
  opened.set('the typed client', client.door);
  return {
    ...{ ground, cast: new Cast(ground) },
    door: (name) => opened.get(name) ?? client.door,
    close: async () => {
      await client.close();
      await ground.close();
    },
  };
}
