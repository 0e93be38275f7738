/** What a new server holds in memory, at rest and after many logins. */
import { memoryDuringLogins } from '../logins/memory.mjs';
import { withUsers } from './ground.mjs';

const aims = { first: '≤ 80 MB', last: '≤ 130 MB' };

export const measureMemory = ({ plan, progress }) =>
  withUsers({ plan, progress }, async (ground) => {
    const { memory, rested, microseconds } = await memoryDuringLogins(ground, {
      logins: plan.remembered,
      nodeOptions: plan.nodeOptions,
      from: 'home',
      // A server that has rested for a minute collects its garbage, twice.
      rest: 75_000,
      progress,
    });
    const { 0: first, length, [length - 1]: last } = memory;
    return [
      { row: 'memory: at rest', megabytes: first.VmRSS, aim: aims.first },
      {
        row: `memory: after ${last.logins.toLocaleString('en')} logins`,
        megabytes: last.VmRSS,
        aim: aims.last,
        processor: { server: microseconds },
      },
      // Of the files, the program was there at rest; what LMDB has mapped since is a cache.
      {
        row: 'memory: the same without the pages of the database',
        megabytes: last.RssAnon + first.RssFile,
        aim: '',
      },
      {
        row: 'memory: when it has rested for a minute, without them',
        megabytes: rested.RssAnon + first.RssFile,
        aim: '',
      },
    ];
  });
