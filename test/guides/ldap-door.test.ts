/** The guide of the LDAP door: what it types is typed. */
import { runGuide, typeBlock } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

const withCode = async (block: Parameters<typeof typeBlock>[0], stand: Stand) => {
  await stand.shell.run(`CODE=${stand.nextCode()}`);
  await typeBlock(block, stand);
};

runGuide<Stand>('docs/guide/ldap-door.md', {
  open: async () => {
    const stand = await openStand();
    const port = stand.here('localhost:6360').replace('localhost:', '');
    await stand.restart({ WATCHWORD_LDAP_DOOR__LDAPS_PORT: port });
    return stand;
  },
  runners: { 'Log in with a password and a code/sh': withCode, 'Search as the user/sh': withCode },
});
