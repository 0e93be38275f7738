/** The five settings of argon2id that OWASP holds for equal, by processor time. */
import { hashSync } from '@node-rs/argon2';
import { median } from '../side-by-side.mjs';

/** MiB and passes, one lane: OWASP Password Storage Cheat Sheet, "Argon2id". */
const settings = [
  [46, 1],
  [19, 2],
  [12, 3],
  [9, 4],
  [7, 5],
];
const ours = 7;
const salt = Buffer.alloc(16, 7);

export async function measureHash({ plan, progress }) {
  progress('hash: the five settings by turns');
  const times = settings.map(() => []);
  for (let round = 0; round <= 2 * plan.rounds; round += 1)
    for (const [at, setting] of settings.entries()) times[at].push(timeOf(setting));
  const microseconds = times.map(median);
  const cheapest = Math.min(...microseconds);
  return settings.map(([mebibytes, passes], at) => ({
    row: `argon2id, ${mebibytes} MiB, t ${passes}${mebibytes === ours ? ', what new passwords get' : ''}`,
    ratio: microseconds[at] / cheapest,
    of: 'the cheapest',
    processor: { server: microseconds[at] },
    aim: mebibytes === ours ? '1' : '',
  }));
}

function timeOf([mebibytes, passes]) {
  const hashes = 4;
  const before = process.cpuUsage();
  for (let n = 0; n < hashes; n += 1)
    hashSync(`password ${n}`, { memoryCost: mebibytes * 1024, timeCost: passes, parallelism: 1, salt });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / hashes;
}
