/** What a new server holds in memory while users log in over REST, 16 at a time. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop } from '../closed-loop.mjs';
import { processorTime } from '../processor-time.mjs';
import { doors, openLoginClient } from './login-client.mjs';
import { startOnSlapd } from './servers.mjs';

const connections = 16;
/** Looks on the way. */
const looks = 4;
/** Milliseconds of load between two counts. */
const slice = 500;
/** Milliseconds after the start. */
const settling = 12_000;

/** @returns {memory: list of {logins, VmRSS, RssAnon, RssFile} in MB, written: entries that the logins changed} */
export async function measureMemory(ground, { logins, progress }) {
  const { memory, written } = await memoryDuringLogins(ground, { logins, progress });
  return { memory, written };
}

/**
 * @param options.nodeOptions of the server
 * @param options.from where users come from, see `FreshCodes.next`
 * @param options.rest milliseconds after the last login
 * @returns as {@link measureMemory}; the same after that rest; and microseconds of processor time for each login of the later half
 */
export async function memoryDuringLogins(ground, { logins, nodeOptions, from, rest = 0, progress }) {
  const server = await startOnSlapd(ground, { name: 'for-memory', nodeOptions });
  // At rest: what a start leaves behind is collected by then.
  await sleep(settling);
  const memory = [{ logins: 0, ...memoryOf(server.pid) }];
  const clients = await Promise.all(
    Array.from({ length: connections }, () => openLoginClient(server, doors.rest, from)),
  );
  let half;
  let done = 0;
  while (done < logins) {
    done += (await closedLoop(clients, slice)).calls;
    if (done < (logins * memory.length) / looks) continue;
    const time = processorTime(server.pid);
    if (done >= logins / 2) half ??= { done, time };
    memory.push({ logins: done, ...memoryOf(server.pid) });
    progress(`memory: ${done.toLocaleString('en')} of ${logins.toLocaleString('en')} logins`);
  }
  const microseconds = (processorTime(server.pid) - half.time) / (done - half.done);
  for (const client of clients) client.close();
  await sleep(rest);
  const rested = memoryOf(server.pid);
  await server.stop();
  return { memory, rested, microseconds, written: await server.writes() };
}

/**
 * Resident megabytes (proc(5)). Of RssFile, what LMDB has mapped of its file is no more than a cache: the system
 * takes it back whenever somebody else needs it.
 */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const megabytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  return Object.fromEntries(['VmRSS', 'RssAnon', 'RssFile'].map((field) => [field, megabytes(field)]));
}
