/** What a new server holds in memory, at rest and after many logins. */
import { memoryDuringLogins } from '../logins/memory.mjs';
import { withUsers } from './ground.mjs';

const aims = { first: '≤ 80 MB', last: '≤ 130 MB' };

export const measureMemory = ({ plan, progress }) =>
  withUsers({ plan, progress }, async (ground) => {
    const { memory, microseconds } = await memoryDuringLogins(ground, {
      logins: plan.remembered,
      nodeOptions: plan.nodeOptions,
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
      { row: 'memory: of that, of the process itself', megabytes: last.RssAnon, aim: '' },
    ];
  });
