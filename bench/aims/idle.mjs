/** Logins on slapd while 10,000 others keep a connection and send nothing, beside logins of a server that has no others. */
import { readFileSync } from 'node:fs';
import { HttpsConnection } from '../https-connection.mjs';
import { startOnSlapd } from '../logins/servers.mjs';
import { sideBySide, warmUp } from '../side-by-side.mjs';
import { loginContestant, withUsers } from './ground.mjs';

/** Connections that are opened at a time. */
const together = 64;
const hello = Buffer.from('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');

export const measureIdle = ({ plan, progress }) =>
  withUsers({ plan, progress }, async (ground) => {
    const servers = {
      'no idle connections': await startOnSlapd(ground, { name: 'alone' }),
      [`${plan.idle} idle connections`]: await startOnSlapd(ground, { name: 'crowded' }),
    };
    const contestants = Object.entries(servers).map(([name, server]) =>
      loginContestant(name, server, ground),
    );
    for (const contestant of contestants) {
      progress(`idle: warming up, ${contestant.name}`);
      await warmUp(contestant, Math.max(plan.users, plan.warmUpOperations));
    }
    const [, crowded] = Object.values(servers);
    const before = memoryOf(crowded);
    const begun = performance.now();
    const idle = await openAll(crowded, plan.idle, progress);
    const opened = performance.now() - begun;
    const after = memoryOf(crowded);
    const measured = await sideBySide(contestants[0], contestants.slice(1), {
      ...{ plan, progress: (text) => progress(`idle: ${text}`) },
    });
    for (const connection of idle) await connection.send(hello); // none was closed meanwhile
    for (const connection of idle) connection.close();
    for (const server of Object.values(servers)) await server.stop();
    return [
      ...measured.map((one, at) => ({ ...one, row: one.name, aim: at === 1 ? '≤ 1.1' : '' })),
      { row: 'connections opened', operationsPerSecond: (1000 * plan.idle) / opened, aim: '' },
      { row: 'memory of the server before', megabytes: before, aim: '' },
      { row: 'memory of the server with them', megabytes: after, aim: '' },
    ];
  });

async function openAll(server, many, progress) {
  const open = [];
  while (open.length < many) {
    const some = Math.min(together, many - open.length);
    const next = await Promise.all(Array.from({ length: some }, () => HttpsConnection.open(server)));
    await Promise.all(next.map((connection) => connection.send(hello)));
    open.push(...next);
    if (open.length % (together * 32) === 0) progress(`idle: ${open.length} of ${many} connections`);
  }
  return open;
}

/** Resident megabytes without the pages of files (proc(5)). */
function memoryOf({ pid }) {
  const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number(kilobytes) / 1000;
}
