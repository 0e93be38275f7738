/** A login on slapd beside the plain handler, and the least program with its guarantees between them. */
import { doors } from '../logins/login-client.mjs';
import { startFloor, startOnSlapd, startReference } from '../logins/servers.mjs';
import { sideBySide, warmUp } from '../side-by-side.mjs';
import { loginContestant, withUsers } from './ground.mjs';

const aims = { 16: '≥ 0.7', 1: '≥ 0.45', 64: '≥ 0.9' };

export const measureLogin = ({ plan, progress }) =>
  withUsers({ plan, progress }, async (ground) => {
    const ours = await startOnSlapd(ground, { name: 'ours' });
    const floor = await startFloor(ground, ours);
    const reference = await startReference(ground, ours);
    const servers = { 'plain handler': reference, ours, floor };
    for (const [name, server] of Object.entries(servers)) {
      progress(`login: warming up ${name}`);
      // Everybody has been at home by then.
      const logins = server === ours ? Math.max(plan.users, plan.warmUpOperations) : plan.warmUpOperations;
      await warmUp(loginContestant(name, server, ground), logins);
    }
    const rows = [];
    for (const connections of plan.connections) {
      const [first, ...others] = Object.entries(servers).map(([name, server]) =>
        loginContestant(name, server, ground, { connections, door: doors.rest }),
      );
      const tell = (text) => progress(`login, ${connections} connections: ${text}`);
      const measured = await sideBySide(first, others, { plan, progress: tell });
      rows.push(
        ...measured.map((one) => ({
          ...inRates(one),
          row: `login, ${connections} connections: ${one.name}`,
          aim: one.name === 'ours' ? aims[connections] : '',
        })),
      );
    }
    for (const server of Object.values(servers)) await server.stop();
    return rows;
  });

/** Rates, not times, in units of the reference's. */
const inRates = ({ ratio, ratios: [least, most], ...rest }) => ({
  ...rest,
  ratio: 1 / ratio,
  ratios: [1 / most, 1 / least],
});
