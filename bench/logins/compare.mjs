/**
 * Logins over REST and SOAP, on slapd and on the embedded directory, beside a plain handler that does no more than
 * search, bind and check the code. Each login has another user, a fresh code and an audit record on disk.
 */
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

function contestants({ onSlapd, onEmbedded, reference }, { slapd, connections }) {
  const contestant = (name, server, door) => ({
    name,
    connections,
    operationsPerCall: 1,
    processes: { server: server.pid, slapd: slapd.pid(), client: process.pid },
    open: () => openLoginClient(server, door),
  });
  return {
    reference: contestant('plain handler, slapd', reference, doors.rest),
    others: [
      contestant('REST, slapd', onSlapd, doors.rest),
      contestant('SOAP, slapd', onSlapd, doors.soap),
      contestant('REST, embedded', onEmbedded, doors.rest),
      contestant('SOAP, embedded', onEmbedded, doors.soap),
    ],
  };
}
