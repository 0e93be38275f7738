/** `rekey`: seals all values under the first key of the ring; `keys`: counts the values of each key. */

import { StartError } from '@watchword/core/foundation';
import {
  countByKey,
  type KeyCounts,
  type KeyFacts,
  keyFacts,
  type NodeRing,
  rekey,
  ringsOfNodes,
} from '@watchword/core/operator';
import type { Command, Task } from './command.ts';
import type { Installation } from './installation.ts';
import { auditCommand, refuseEmpty, withInstallation } from './installation.ts';

export const rekeyCommand: Command = {
  name: 'rekey',
  does: 'encrypts every stored secret anew with the first key of keys_file, while servers run',
  options: {},
  run: (task) => withKeys(task, rekeyAll),
};

export const keysCommand: Command = {
  name: 'keys',
  does: 'tells how many stored secrets each key of keys_file still holds',
  options: {},
  run: (task) =>
    withKeys(task, async ({ around }, { engines, config }) => {
      const counts = await countByKey(engines.sealed);
      for (const line of linesOf(counts, engines.keys.ids)) around.print(line);
      for (const { node, keys } of await ringsOfNodes(engines.store))
        around.print(`${node} encrypts with ${keys.join(', then reads ')}`);
      const idle = engines.keys.ids.slice(1).filter((id) => !counts.has(id));
      for (const id of idle)
        around.print(
          `Nothing is under ${id} any more: it may leave ${config.keys_file}, if no backup needs it.`,
        );
    }),
};

async function withKeys(
  task: Task,
  work: (task: Task, installation: Installation) => Promise<void>,
): Promise<void> {
  const { config, warnings } = task.readConfiguration(task.config);
  for (const warning of warnings) task.around.printError(`${task.program}: warning: ${warning}`);
  await refuseEmpty(config, task);
  await withInstallation(config, task, (installation) => work(task, installation));
}

async function rekeyAll(task: Task, installation: Installation): Promise<void> {
  const { around } = task;
  const { engines, config } = installation;
  const [first = ''] = engines.keys.ids;
  refuseLateNodes(await ringsOfNodes(engines.store), first);
  const before = await countByKey(engines.sealed);
  const total = sumOf(before);
  around.print(`${total} values, of which ${total - (before.get(first) ?? 0)} are not under ${first} yet.`);
  if (before.get(first) === total)
    around.print(
      `To change the key, put a new line in front of ${config.keys_file} and restart the servers first.`,
    );
  let faults = 0;
  await rekey(engines.sealed, {
    first,
    onProgress: stepsOf(total, (done) => around.print(`${done} of ${total} values`)),
    onFault: (holder, why) => {
      faults += 1;
      around.printError(`${holder}: ${why}`);
    },
  });
  const after = await countByKey(engines.sealed);
  for (const line of linesOf(after, engines.keys.ids)) around.print(line);
  await auditCommand(task, installation, { text: `rekey: ${sumOf(after)} values, ${faults} faults` });
  refuseRest(sumOf(after) - (after.get(first) ?? 0), faults);
}

/** Refuses while a node seals under an old key, or cannot open values under the new one: restart it first. */
function refuseLateNodes(nodes: readonly NodeRing[], first: string): void {
  const late = nodes.filter(({ keys }) => keys[0] !== first).map(({ node }) => node);
  if (late.length === 0) return;
  throw new StartError(
    `${late.join(' and ')} ${late.length === 1 ? 'has' : 'have'} not read that ${first} is the first key of keys_file: restart what runs, then run rekey. (What a server that died has said is forgotten after a minute.)`,
  );
}

function refuseRest(rest: number, faults: number): void {
  if (faults > 0)
    throw new StartError(
      `What is named above could not be encrypted anew (${faults}), and stays as it is: mend that, and run rekey again.`,
    );
  if (rest > 0)
    throw new StartError(
      `${rest} values were written under another key meanwhile: restart the servers that have the old keys_file, and run rekey again.`,
    );
}

const sumOf = (counts: KeyCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Tells at every twentieth of the whole, and at the end. */
function stepsOf(total: number, tell: (done: number) => void): (done: number) => void {
  let reported = 0;
  return (done) => {
    if (done - reported < total / 20 && done < total) return;
    reported = done;
    tell(done);
  };
}

const uses: Readonly<Record<KeyFacts['use'], string>> = {
  encrypts: 'encrypts, and holds',
  decrypts: 'only decrypts, and holds',
  missing: 'is not in the ring, so nobody can read what it holds:',
};

const linesOf = (counts: KeyCounts, ids: readonly string[]): readonly string[] =>
  keyFacts(counts, ids).map(({ id, use, values }) => `${id} ${uses[use]} ${values} values`);
