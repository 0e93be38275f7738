/** PostgreSQL as the engine beside LMDB, both on one slapd: what a login costs our server. */
import { startOnPostgres } from '../logins/on-postgres.mjs';
import { startOnSlapd } from '../logins/servers.mjs';
import { sideBySide, warmUp } from '../side-by-side.mjs';
import { loginContestant, withUsers } from './ground.mjs';

export const measurePostgres = ({ plan, progress }) =>
  withUsers({ plan, progress }, async (ground) => {
    const onLmdb = await startOnSlapd(ground, { name: 'on-lmdb' });
    const onPostgres = await startOnPostgres(ground);
    const [lmdb, postgres] = [
      loginContestant('LMDB', onLmdb, ground),
      loginContestant('PostgreSQL', onPostgres, ground),
    ];
    for (const contestant of [lmdb, postgres]) {
      progress(`engines: warming up ${contestant.name}`);
      await warmUp(contestant, plan.warmUpOperations);
    }
    const tell = (text) => progress(`engines: ${text}`);
    const measured = await sideBySide(lmdb, [postgres], { plan, progress: tell });
    for (const server of [onLmdb, onPostgres]) await server.stop();
    return measured.map((one) => ({
      ...one,
      row: `engine: ${one.name}`,
      ratio: one.serverRatio,
      of: 'server CPU',
      ratios: undefined,
      aim: one.name === 'PostgreSQL' ? '≤ 1.5' : '',
    }));
  });
