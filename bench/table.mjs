/** Results as tables to read. Each column is a title and what stands in it of a row. */

const whole = (number) => Math.round(number).toLocaleString('en');
const decimals = (number) => number.toFixed(2);

const contestantColumns = {
  '': ({ name }) => name,
  'reads/s': ({ operationsPerSecond }) => whole(operationsPerSecond),
  'µs a read': ({ microseconds }) => whole(microseconds),
  ratio: ({ ratio }) => decimals(ratio),
  'least–most': ({ ratios: [least, most] }) => `${decimals(least)}–${decimals(most)}`,
  'p50 ms': ({ latency }) => decimals(latency.p50),
  'p95 ms': ({ latency }) => decimals(latency.p95),
  'p99 ms': ({ latency }) => decimals(latency.p99),
  'CPU µs: client': ({ processor }) => whole(processor.client),
  Manager: ({ processor }) => whole(processor.manager),
  slapd: ({ processor }) => whole(processor.slapd),
};

/** One comparison with the directory directly. */
export function comparisonTable({ users, connections, method, contestants }) {
  const noun = connections === 1 ? 'connection' : 'connections';
  return `${method}, ${whole(users)} users, ${connections} ${noun}\n${table(contestantColumns, contestants)}`;
}

const { '': name, ratio, 'least–most': spread, ...times } = contestantColumns;

const loginColumns = {
  '': name,
  'logins/s': ({ operationsPerSecond }) => whole(operationsPerSecond),
  ...{ ratio, 'least–most': spread },
  'p50 ms': times['p50 ms'],
  'p95 ms': times['p95 ms'],
  'p99 ms': times['p99 ms'],
  'CPU µs: client': times['CPU µs: client'],
  server: ({ processor }) => whole(processor.server),
  slapd: times.slapd,
};

/** Logins at one number of connections. */
export function loginTable({ connections, contestants }) {
  return `Logins, ${whole(connections)} at a time\n${table(loginColumns, contestants)}`;
}

const memoryColumns = {
  logins: ({ logins }) => whole(logins),
  'RSS MB': ({ VmRSS }) => whole(VmRSS),
  'RssAnon MB': ({ RssAnon }) => whole(RssAnon),
  'RssFile MB': ({ RssFile }) => whole(RssFile),
};

export function memoryTable({ memory, writes }) {
  const written = Object.entries(writes).map(([where, entries]) => `  ${where}: ${whole(entries)}\n`);
  const heading = 'Entries of the directory that all these logins have changed';
  return `Memory of the server\n${table(memoryColumns, memory)}\n${heading}\n${written.join('')}`;
}

export function embeddedTable(sizes) {
  const tasks = Object.keys(sizes[0].tasks);
  const columns = {
    users: ({ users }) => whole(users),
    'import µs a user': ({ importPerUser }) => whole(importPerUser),
    ...Object.fromEntries(
      tasks.map((name) => [
        name,
        ({ tasks }) => `${whole(tasks[name].microseconds)} µs ${decimals(tasks[name].ratio)}×`,
      ]),
    ),
  };
  return `Embedded directory, beside the smallest\n${table(columns, sizes)}`;
}

/** The first column is flush left, the others flush right. */
export function table(columns, rows) {
  const lines = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cell) => cell(row)))];
  const widths = Object.keys(columns).map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const pad = (text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at]));
  return lines.map((line) => `  ${line.map(pad).join('  ')}\n`).join('');
}
