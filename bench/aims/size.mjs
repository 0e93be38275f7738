/**
 * A login where slapd holds a thousand users beside one where it holds a million: with a password alone, as a thousand
 * users have not codes enough. Those who log in are spread over the whole directory.
 */
import { FreshCodes } from '../logins/fresh-codes.mjs';
import { startOnSlapd, startUsers } from '../logins/servers.mjs';
import { sideBySide, warmUp } from '../side-by-side.mjs';
import { loginContestant } from './ground.mjs';

/** For each user in the database of slapd, indexes included; a sparse file costs nothing. */
const bytesOfUser = 8_192;
const password = { settings: { 'Otp.LoginMode': 'LDAP' } };
const slapdOptions = (users) => ({
  indexes: ['webadmSettings pres'],
  maxSize: Math.max(2 ** 30, users * bytesOfUser),
});

export async function measureSize({ plan, progress }) {
  const [large, small] = plan.sizes;
  const closing = [];
  try {
    const contestants = [];
    for (const users of [small, large]) {
      const ground = await startUsers(users, progress, slapdOptions(users));
      closing.unshift(() => ground.stop());
      const codes = new FreshCodes(users, { isOnce: false, asMany: plan.warmUpOperations });
      const server = await startOnSlapd(ground, { name: 'size', more: password, codes });
      closing.unshift(() => server.stop());
      const name = `${users.toLocaleString('en')} users`;
      const contestant = loginContestant(name, server, ground);
      progress(`size: warming up, ${name}`);
      await warmUp(contestant, plan.warmUpOperations);
      contestants.push(contestant);
    }
    const [first, ...others] = contestants;
    const tell = (text) => progress(`size: ${text}`);
    const measured = await sideBySide(first, others, { plan, progress: tell });
    return measured.map((one, at) => ({ ...one, row: `login, ${one.name}`, aim: at === 0 ? '' : '≤ 1.2' }));
  } finally {
    for (const close of closing) await close();
  }
}
