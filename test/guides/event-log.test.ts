/** The guide of the event log: it is exported, verified by our command, and by tools that know nothing of us. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runGuide, typeBlock } from './guide.ts';
import { openRoom, type Room } from './reading-room.ts';

async function openInstallation(): Promise<Room> {
  const room = await openRoom();
  await room.shell.run("umask 077; printf 'a long password' > password");
  await room.shell.run(
    'watchword-manager init --config watchword.yaml --base dc=example,dc=com --password-file password',
  );
  return room;
}

/** What a tampered export is told by. */
async function changed(room: Room, work: () => Promise<unknown>): Promise<void> {
  const file = join(room.folder, 'events.jsonl');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('init', 'exit'));
  await work().finally(() => writeFile(file, text));
}

runGuide<Room>('docs/guide/event-log.md', {
  open: openInstallation,
  runners: {
    'Show that the event log is untouched/sh/2': async (block, room) => {
      await typeBlock(block, room);
      const [command] = block.text.split('\n');
      await changed(room, async () =>
        expect(await room.shell.run(`${command} 2>&1 || true`)).toContain('Line 1 was changed'),
      );
    },
    'Verify it with tools of your own/sh': async (block, room) => {
      await typeBlock(block, room);
      await changed(room, async () =>
        expect(await room.shell.run(block.text)).toContain('changed: {"hash":'),
      );
    },
  },
});
