/** Two processes on one data folder beside one: how many more logins there are. */
import { startOnSlapd } from '../logins/servers.mjs';
import { sideBySide, warmUp } from '../side-by-side.mjs';
import { loginContestant, withUsers } from './ground.mjs';

export const measureProcesses = ({ plan, progress }) =>
  withUsers({ plan, progress }, async (ground) => {
    const one = await startOnSlapd(ground, { name: 'shared' });
    const other = await startOnSlapd(ground, { name: 'shared', codes: one.codes });
    for (const server of [one, other]) {
      progress('processes: warming up');
      await warmUp(loginContestant('', server, ground), plan.warmUpOperations);
    }
    const contestant = (name, servers, connections) =>
      loginContestant(name, servers, ground, { connections });
    const reference = contestant('one process, 1 connection', one, 1);
    const others = [
      contestant('one process, 2 connections', one, 2),
      contestant('two processes, 1 connection each', [one, other], 2),
    ];
    const tell = (text) => progress(`processes: ${text}`);
    const measured = await sideBySide(reference, others, { plan, progress: tell });
    for (const server of [other, one]) await server.stop();
    // Times of a login, as rates of all connections together.
    return measured.map(({ ratio, ratios: [least, most], ...rest }, at) => {
      const connections = at === 0 ? 1 : 2;
      return {
        ...rest,
        row: `processes: ${rest.name}`,
        ratio: connections / ratio,
        ratios: [connections / most, connections / least],
        aim: at === 2 ? '≥ 1.0' : '',
      };
    });
  });
