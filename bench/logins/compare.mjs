/**
 * Logins over REST and SOAP, on slapd and on the embedded directory, beside a plain handler that does no more than
 * search, bind and check the code. Each login has another user, a fresh code and an audit record on disk.
 */
import { closedLoop } from '../closed-loop.mjs';
import { sideBySide } from '../side-by-side.mjs';
import { doors, openLoginClient } from './login-client.mjs';
import { measureMemory } from './memory.mjs';
import { startOnEmbedded, startOnSlapd, startReference, startUsers } from './servers.mjs';

/** @returns {comparisons: list of {connections, contestants}, memory, writes: place → entries} */
export async function compareLogins({ plan, progress }) {
  const ground = await startUsers(plan.users, progress);
  try {
    const { comparisons, writes } = await compareServers(ground, { plan, progress });
    const { memory, written } = await measureMemory(ground, { logins: plan.remembered, progress });
    return { comparisons, memory, writes: { ...writes, 'slapd, for memory': written } };
  } finally {
    await ground.stop();
  }
}

async function compareServers(ground, { plan, progress }) {
  progress('loading the embedded directory …');
  const onSlapd = await startOnSlapd(ground, { name: 'on-slapd' });
  const onEmbedded = await startOnEmbedded(ground);
  const reference = await startReference(ground, onSlapd);
  progress('every user logs in once, so that its place is known …');
  await logInOnce(onSlapd, plan.users);
  const comparisons = [];
  for (const connections of plan.connections) {
    const to = contestants({ onSlapd, onEmbedded, reference }, { slapd: ground.slapd, connections });
    const tell = (text) => progress(`logins, ${connections} connections: ${text}`);
    const measured = await sideBySide(to.reference, to.others, { plan, progress: tell });
    comparisons.push({ connections, contestants: measured });
  }
  for (const server of [reference, onSlapd, onEmbedded]) await server.stop();
  return { comparisons, writes: { slapd: await onSlapd.writes(), embedded: await onEmbedded.writes() } };
}

/** All users, from where they will come from again. */
async function logInOnce(server, users) {
  const opening = Array.from({ length: 16 }, () => openLoginClient(server, doors.rest, 'home'));
  const clients = await Promise.all(opening);
  while (server.codes.count < users) await closedLoop(clients, 500);
  for (const client of clients) client.close();
}

function contestants({ onSlapd, onEmbedded, reference }, { slapd, connections }) {
  const contestant = (name, server, door, from = 'elsewhere') => ({
    name,
    connections,
    operationsPerCall: 1,
    processes: { server: server.pid, slapd: slapd.pid(), client: process.pid },
    open: () => openLoginClient(server, door, from),
  });
  return {
    reference: contestant('plain handler, slapd', reference, doors.rest),
    others: [
      contestant('REST, slapd, known place', onSlapd, doors.rest, 'home'),
      contestant('REST, slapd, new place', onSlapd, doors.rest),
      contestant('SOAP, slapd, known place', onSlapd, doors.soap, 'home'),
      contestant('SOAP, slapd, new place', onSlapd, doors.soap),
      contestant('REST, embedded, new place', onEmbedded, doors.rest),
      contestant('SOAP, embedded, new place', onEmbedded, doors.soap),
    ],
  };
}
