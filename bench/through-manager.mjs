/**
 * Reads through the Manager beside the same reads done directly: a throwaway slapd with as many users as
 * asked for, a Manager in front of it in a process of its own, and this process as the client of both.
 */
import { startSlapd } from './bed.mjs';
import { openLdapClient } from './ldap-client.mjs';
import { openManagerClient } from './manager-client.mjs';
import { startManager } from './manager-process.mjs';
import { operations } from './operations.mjs';
import { batchLength, connections } from './plan.mjs';
import { sideBySide } from './side-by-side.mjs';

/** @returns a list of {users, connections, method, contestants}, one for each operation */
export async function measureThroughManager(users, { plan, progress }) {
  return withServers({ users, progress }, async (servers) => {
    const results = [];
    for (const operation of operations) {
      const to = contestants(operation, { ...servers, users, connections });
      const others = [to.single, to.batch, ...(users === plan.detailed ? [to.oneSession, to.plain] : [])];
      results.push(await compare(to, others, { operation, users, connections, plan, progress }));
    }
    return results;
  });
}

/** The same with a single connection: what one script that does one thing after another gets. */
export async function measureOneConnection(users, { plan, progress }) {
  return withServers({ users, progress }, async (servers) => {
    const [operation] = operations;
    const to = contestants(operation, { ...servers, users, connections: 1 });
    return compare(to, [to.single, to.batch], { operation, users, connections: 1, plan, progress });
  });
}

async function compare(to, others, { operation, users, connections, plan, progress }) {
  const place = `${users.toLocaleString('en')} users, ${connections} connections, ${operation.method}`;
  const tell = (text) => progress(`${place}: ${text}`);
  const measured = await sideBySide(to.direct, others, { plan, progress: tell });
  return { users, connections, method: operation.method, contestants: measured };
}

async function withServers({ users, progress }, use) {
  progress(`loading slapd with ${users.toLocaleString('en')} users …`);
  const slapd = await startSlapd({ users });
  try {
    const manager = await startManager(slapd);
    try {
      return await use({ slapd, manager });
    } finally {
      await manager.stop();
    }
  } finally {
    await slapd.stop();
  }
}

/** Everyone has connections of its own, bound as the same administrator. */
function contestants(operation, { slapd, manager, users, connections }) {
  const processes = { manager: manager.pid, slapd: slapd.pid(), client: process.pid };
  const ldap = (name, tls) => ({
    ...{ name, connections, processes },
    operationsPerCall: 1,
    open: (client) => openLdapClient(slapd, operation, { tls, users, client }),
  });
  const through = (name, reads) => ({
    ...{ name, connections, processes },
    operationsPerCall: reads,
    open: (client) => openManagerClient(manager, operation, { users, client, reads }),
  });
  return {
    direct: ldap('ldapts, ldaps', true),
    plain: ldap('ldapts, ldap in clear', false),
    single: through('Manager, single calls', 1),
    batch: through(`Manager, batches of ${batchLength}`, batchLength),
    oneSession: shareSession(through('Manager, all in one session', 1), { manager, operation, users }),
  };
}

/** The first connection begins the session, the others use it. */
function shareSession(contestant, { manager, operation, users }) {
  let first;
  const open = async (client) => {
    const options = { users, client, reads: 1 };
    if (client === 0) first = openManagerClient(manager, operation, options);
    const { cookie } = await first;
    return client === 0 ? first : openManagerClient(manager, operation, { ...options, cookie });
  };
  return { ...contestant, open };
}
