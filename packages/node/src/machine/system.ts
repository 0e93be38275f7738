import { readFileSync } from 'node:fs';
import { hostname, totalmem } from 'node:os';
import type { System } from '@watchword/core/ports';

/** This machine and this process. */
export const thisSystem: System = {
  facts: () => ({
    process: process.pid,
    host: hostname(),
    platform: `${process.platform} ${process.arch}`,
    uptime: Math.floor(process.uptime()),
    memory: { used: process.memoryUsage.rss(), total: totalmem() },
  }),
};

/** Returns the id of the machine's boot; undefined if unknown. */
export function bootId(path = '/proc/sys/kernel/random/boot_id'): string | undefined {
  try {
    const [id] = /^[0-9a-f-]{36}/.exec(readFileSync(path, 'latin1')) ?? [];
    return id;
  } catch {
    return undefined;
  }
}

/** Returns the limit of open files of this process; undefined if unknown or unlimited. */
export function openFileLimit(path = '/proc/self/limits'): number | undefined {
  try {
    const [, soft] = /^Max open files +([0-9]+) /m.exec(readFileSync(path, 'latin1')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
