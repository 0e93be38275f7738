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

/** Their programs need a directory or a database of the reader's. */
const compiled = {
  open: openRoom,
  runners: {
    ts: ({ text }: { text: string }) =>
      expect(typeErrors('readme.ts', new Map([['readme.ts', text]]))).toEqual([]),
  },
};

// Its servers are somebody's; the guides of administration and of logins run the same calls.
runGuide('packages/client/README.md', compiled);

runGuide('packages/embedded/README.md', compiled);

runGuide('packages/engines/README.md', compiled);

runGuide('packages/ldap/README.md', compiled);

runGuide('packages/node/README.md', compiled);

runGuide('packages/openid/README.md', compiled);

runGuide('packages/pki/README.md', compiled);

runGuide('packages/cli/README.md', { open: openRoom });

runGuide('packages/gateways/README.md', { open: openRoom });

runGuide('packages/postgres/README.md', { open: openRoom });

runGuide('packages/server-manager/README.md', { open: openRoom });

runGuide('packages/server-ws/README.md', { open: openRoom });
