/** A read through the Manager beside the least server that does as much, and batches beside direct reads. */
import { startSlapd } from '../bed.mjs';
import { openLdapClient } from '../ldap-client.mjs';
import { openManagerClient } from '../manager-client.mjs';
import { startManager, startManagerFloor } from '../manager-process.mjs';
import { operations } from '../operations.mjs';
import { batchLength, connections } from '../plan.mjs';
import { sideBySide, warmUp } from '../side-by-side.mjs';

const users = 1_000;
const [operation] = operations;

export async function measureManager({ plan, progress }) {
  progress('Manager: loading slapd …');
  const slapd = await startSlapd({ users });
  const manager = await startManager(slapd);
  const floor = await startManagerFloor(slapd, manager);
  try {
    const to = contestants({ slapd, manager, floor });
    for (const contestant of Object.values(to)) {
      progress(`Manager: warming up ${contestant.name}`);
      await warmUp(contestant, plan.warmUpOperations);
    }
    const tell = (text) => progress(`Manager: ${text}`);
    const single = await sideBySide(to.floor, [to.single, to.direct], { plan, progress: tell });
    const batches = await sideBySide(to.direct, [to.batch], { plan, progress: tell });
    return [
      ...single.map((one) => ({
        ...one,
        row: `call: ${one.name}`,
        aim: one.name === to.single.name ? '≤ 1.7' : '',
      })),
      ...batches.map((one) => ({
        ...one,
        row: `batch: ${one.name}`,
        aim: one.name === to.batch.name ? '≤ 1.0' : '',
      })),
    ];
  } finally {
    await floor.stop();
    await manager.stop();
    await slapd.stop();
  }
}

function contestants({ slapd, manager, floor }) {
  const contestant = (name, server, operationsPerCall, open) => ({
    ...{ name, connections, operationsPerCall, open },
    processes: { ...(server && { server: server.pid }), slapd: slapd.pid(), client: process.pid },
  });
  const through = (name, server, reads) =>
    contestant(name, server, reads, (client) =>
      openManagerClient(server, operation, { users, client, reads }),
    );
  const direct = (client) => openLdapClient(slapd, operation, { tls: true, users, client });
  return {
    floor: through('floor', floor, 1),
    single: through('Manager', manager, 1),
    direct: contestant('ldapts directly', undefined, 1, direct),
    batch: through(`Manager, batches of ${batchLength}`, manager, batchLength),
  };
}
