/** What sshd asks at each login, `sshkeyAuthorizedKeys`, beside logins with a token: by turns, in one process, on the embedded directory. */
import { totp } from '@watchword/core';
import { median } from '../side-by-side.mjs';
import { open, secretOf, settings, users } from './in-process.mjs';

/** Of each user. */
const rounds = 25;
const step = 30;

export async function measureKeys({ plan, progress }) {
  const ground = await open(settings);
  try {
    progress('keys: AuthorizedKeys beside logins');
    const times = [[], []];
    for (let round = 0; round <= 2 * plan.rounds; round += 1)
      for (const at of round % 2 ? [1, 0] : [0, 1]) times[at].push(await turn([logIn, askKeys][at], ground));
    const [logins, asked] = times.map((all) => median(all.slice(1)));
    const each = (milliseconds) => (1000 * users.length * rounds) / milliseconds;
    const ratios = times[0].slice(1).map((time, at) => time / times[1][at + 1]);
    return [
      { row: 'logins with a token', operationsPerSecond: each(logins), aim: '' },
      {
        row: 'AuthorizedKeys',
        ratio: median(ratios),
        ratios: [Math.min(...ratios), Math.max(...ratios)],
        aim: '',
        operationsPerSecond: each(asked),
      },
    ];
  } finally {
    await ground.close();
  }
}

/** @returns milliseconds */
async function turn(ask, { service, clock }) {
  const begun = performance.now();
  for (let n = 0; n < rounds; n += 1) {
    clock.ahead += step * 1000;
    const codes = await Promise.all(users.map((username) => ask(username, service, clock)));
    if (codes.some((code) => code !== 1)) throw new Error(`An operation was answered ${codes}.`);
  }
  return performance.now() - begun;
}

async function logIn(username, service, clock) {
  const otpPassword = totp({ secret: secretOf(username), digits: 6, period: step }, clock.now());
  return (await service.web.otp.normalLogin({ username, otpPassword })).code;
}

async function askKeys(username, service) {
  const { code, publicKeys } = await service.web.sshkey.authorizedKeys({ username });
  return publicKeys === '' ? 0 : code;
}
