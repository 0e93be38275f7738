/** The commands `rekey`, which re-encrypts all stored secrets with the first key of the key ring, and `keys`, which counts the secrets of each key. */

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
  does: 're-encrypts every stored secret with the first key of keys_file, while servers run',
  options: {},
  run: (task) => withKeys(task, rekeyAll),
};

export const keysCommand: Command = {
  name: 'keys',
  does: 'shows how many stored secrets each key of keys_file encrypts',
  options: {},
  run: (task) =>
    withKeys(task, async ({ around: output }, { engines, config }) => {
      const counts = await countByKey(engines.sealed);
      for (const line of linesOf(counts, engines.keys.ids)) output.print(line);
      for (const { node, keys } of await ringsOfNodes(engines.store))
        output.print(`${node} encrypts with ${keys.join(', then reads ')}`);
      const idle = engines.keys.ids.slice(1).filter((id) => !counts.has(id));
      for (const id of idle)
        output.print(
          `No secret is encrypted with ${id} any more: remove it from ${config.keys_file}, unless a backup needs it.`,
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
  const { around: output } = task;
  const { engines, config } = installation;
  const [first = ''] = engines.keys.ids;
  refuseLateNodes(await ringsOfNodes(engines.store), first);
  const before = await countByKey(engines.sealed);
  const total = sumOf(before);
  output.print(
    `${counted(total)}, of which ${total - (before.get(first) ?? 0)} are not encrypted with ${first} yet.`,
  );
  if (before.get(first) === total)
    output.print(
      `To change the key, first add a new first line to ${config.keys_file} and restart the servers.`,
    );
  let faults = 0;
  await rekey(engines.sealed, {
    first,
    onProgress: stepsOf(total, (done) => output.print(`${done} of ${counted(total)}`)),
    onFault: (holder, reason) => {
      faults += 1;
      output.printError(`${holder}: ${reason}`);
    },
  });
  const after = await countByKey(engines.sealed);
  for (const line of linesOf(after, engines.keys.ids)) output.print(line);
  await auditCommand(task, installation, { text: `rekey: ${counted(sumOf(after))}, ${faults} faults` });
  refuseRest(sumOf(after) - (after.get(first) ?? 0), faults);
}

/** Refuses to re-encrypt while a node encrypts with an old key: it would write secrets that need that key. */
function refuseLateNodes(nodes: readonly NodeRing[], first: string): void {
  const late = nodes.filter(({ keys }) => keys[0] !== first).map(({ node }) => node);
  if (late.length === 0) return;
  throw new StartError(
    `${late.join(' and ')} ${late.length === 1 ? 'does' : 'do'} not encrypt with ${first}, the first key of keys_file, yet: restart the servers, then run rekey. (A server that has crashed is listed for one minute.)`,
  );
}

function refuseRest(rest: number, faults: number): void {
  if (faults > 0)
    throw new StartError(
      `${faults} of the secrets above could not be re-encrypted and are unchanged: repair them, and run rekey again.`,
    );
  if (rest > 0)
    throw new StartError(
      `${counted(rest)} ${rest === 1 ? 'was' : 'were'} written with another key meanwhile: restart the servers that have the old keys_file, and run rekey again.`,
    );
}

const counted = (secrets: number): string => (secrets === 1 ? '1 secret' : `${secrets} secrets`);

const sumOf = (counts: KeyCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Limits reports of progress to one for each twentieth, and the last. */
function stepsOf(total: number, report: (done: number) => void): (done: number) => void {
  let reported = 0;
  return (done) => {
    if (done - reported < total / 20 && done < total) return;
    reported = done;
    report(done);
  };
}

const uses: Readonly<Record<KeyFacts['use'], string>> = {
  encrypts: 'encrypts:',
  decrypts: 'only decrypts:',
  missing: 'is not in keys_file, so its secrets cannot be read:',
};

const linesOf = (counts: KeyCounts, ids: readonly string[]): readonly string[] =>
  keyFacts(counts, ids).map(({ id, use, values }) => `${id} ${uses[use]} ${counted(values)}`);
