/** What the rows that are about logins stand on: a slapd with users, and contestants who log in there. */
import { doors, openLoginClient } from '../logins/login-client.mjs';
import { startUsers } from '../logins/servers.mjs';

export async function withUsers({ plan, progress }, use) {
  const ground = await startUsers(plan.users, progress);
  try {
    return await use(ground);
  } finally {
    await ground.stop();
  }
}

/**
 * @param servers one, or several that take connections by turns
 * @returns a contestant whose users log in at their known places
 */
export function loginContestant(name, servers, { slapd }, { connections = 16, door = doors.rest } = {}) {
  const all = [servers].flat();
  return {
    ...{ name, connections },
    operationsPerCall: 1,
    processes: { server: all.map(({ pid }) => pid), slapd: slapd.pid(), client: process.pid },
    open: (client) => openLoginClient(all[client % all.length], door, 'home'),
  };
}
