/** What the packages say of themselves. Their programs are compiled against the tarballs, too (test/installed). */
import { expect } from 'vitest';
import { runGuide } from './guide.ts';
import { runProgram } from './program.ts';
import { openRoom, type Room } from './reading-room.ts';
import { typeErrors } from './types.ts';

runGuide<Room>('packages/core/README.md', {
  open: openRoom,
  runners: {
    ts: async (block, room) => {
      const printed = await runProgram(block, { ...room, environment: {} });
      expect(printed).toBe('refused: Invalid username or password\n');
    },
  },
});

runGuide('packages/client/README.md', {
  open: openRoom,
  runners: {
    // Its servers are somebody's; the guides of administration and of logins run the same calls.
    ts: ({ text }) => expect(typeErrors('readme.ts', new Map([['readme.ts', text]]))).toEqual([]),
  },
});

runGuide('packages/server-manager/README.md', { open: openRoom });

runGuide('packages/server-ws/README.md', { open: openRoom });
