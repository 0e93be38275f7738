import { hostname, totalmem } from 'node:os';
import type { System } from '../../ports/system.ts';

/** This machine and this process. */
export const thisSystem: System = {
  facts: () => ({
    host: hostname(),
    platform: `${process.platform} ${process.arch}`,
    uptime: Math.floor(process.uptime()),
    memory: { used: process.memoryUsage.rss(), total: totalmem() },
  }),
};
