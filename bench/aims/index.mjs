/** The table of aims: which rows there are. Each is measured by itself, and gives lines of one table. */
import { table } from '../table.mjs';

/** Loaded when asked for. By the word that names it in the command. */
export const rows = {
  login: async (how) => (await import('./login.mjs')).measureLogin(how),
  engine: async (how) => (await import('./postgres.mjs')).measurePostgres(how),
  manager: async (how) => (await import('./manager.mjs')).measureManager(how),
  connections: async (how) => (await import('./connections.mjs')).measureConnections(how),
  memory: async (how) => (await import('./memory.mjs')).measureMemory(how),
  processes: async (how) => (await import('./processes.mjs')).measureProcesses(how),
  size: async (how) => (await import('./size.mjs')).measureSize(how),
  children: async (how) => (await import('./children.mjs')).measureChildren(how),
  outbox: async (how) => (await import('./outbox.mjs')).measureOutbox(how),
  events: async (how) => (await import('./events.mjs')).measureEvents(how),
  idle: async (how) => (await import('./idle.mjs')).measureIdle(how),
  keys: async (how) => (await import('./keys.mjs')).measureKeys(how),
  hash: async (how) => (await import('./hash.mjs')).measureHash(how),
};

const whole = (number) => (Number.isFinite(number) ? Math.round(number).toLocaleString('en') : '');
const decimals = (number) => (Number.isFinite(number) ? number.toFixed(2) : '');

const columns = {
  '': ({ row }) => row,
  ratio: ({ ratio }) => decimals(ratio),
  'least–most': ({ ratios }) => (ratios ? ratios.map(decimals).join('–') : ''),
  aim: ({ aim }) => aim,
  'per second': ({ operationsPerSecond }) => whole(operationsPerSecond),
  'ms until all': ({ milliseconds }) => whole(milliseconds),
  'CPU µs: server': ({ processor }) => whole(processor?.server),
  'of the first': ({ serverRatio }) => decimals(serverRatio),
  client: ({ processor }) => whole(processor?.client),
  'answered 503': ({ busy }) => whole(busy),
  slapd: ({ processor }) => whole(processor?.slapd),
  'MB resident': ({ megabytes }) => whole(megabytes),
};

export const aimsTable = (measured) => table(columns, measured);
