/**
 * The commands `audit export`, `audit key` and `audit verify`: export and verify the event log, a signed hash chain in which changes are
 * detected.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { open } from 'node:fs/promises';
import { formatTimestamp, StartError } from '@watchword/core/foundation';
import { cefOf } from '@watchword/core/operator';
import {
  ChainFault,
  type ChainRecord,
  ChainVerifier,
  checkpointPurpose,
  exportLine,
  type LinkedRecord,
  type Verified,
} from '@watchword/core/ports';
import { readNamed } from '@watchword/engines/installation';
import type { Command, Task } from './command.ts';
import { type Installation, refuseEmpty, withInstallation } from './installation.ts';

export const auditExport: Command = {
  name: 'audit export',
  does: 'writes the event log to standard output, with a signed record at its end',
  options: {
    format: { value: 'FORMAT', says: 'jsonl, which audit verify reads (the usual one), or cef' },
    since: { value: 'DATE', says: 'leaves out what stands before the last checkpoint of that day' },
  },
  run: async (task) => {
    const write = formats.get(task.given.format ?? 'jsonl');
    if (!write) throw new StartError('--format is jsonl or cef.');
    const since = sinceOf(task.given.since);
    await withLog(task, async ({ engines: { events, clock } }) => {
      let count = 0;
      for await (const page of events.exported({ now: clock.now(), since })) {
        await task.streams.write(page.flatMap(write).join(''));
        count += page.length;
        task.around.printError(`${count} records`);
      }
    });
  },
};

export const auditKey: Command = {
  name: 'audit key',
  does: 'prints the public keys that exports of the event log are verified with',
  options: {},
  run: (task) =>
    withLog(task, async ({ engines: { keys } }) => {
      for (const key of keys.verifyingKeys(checkpointPurpose)) task.around.print(key.trimEnd());
    }),
};

export const auditVerify: Command = {
  name: 'audit verify',
  does: 'says whether an export of the event log is what was written',
  operand: 'FILE',
  isAlone: true,
  options: { key: { value: 'FILE', says: 'what audit key has printed, kept elsewhere than the log' } },
  run: async ({ given: { key }, operand, around }) => {
    if (operand === undefined || key === undefined)
      throw new StartError('audit verify needs an export, and --key with the public keys.');
    around.print(sentenceOf(await verified(operand, keysOf(key))));
  },
};

async function withLog(task: Task, work: (installation: Installation) => Promise<void>): Promise<void> {
  const { config, warnings } = task.readConfiguration(task.config);
  for (const warning of warnings) task.around.printError(`${task.program}: warning: ${warning}`);
  await refuseEmpty(config, task);
  await withInstallation(config, task, work);
}

/** The lines of a record; CEF has events only. */
const formats: ReadonlyMap<string, (record: LinkedRecord) => readonly string[]> = new Map([
  ['jsonl', (record) => [`${exportLine(record)}\n`]],
  [
    'cef',
    ({ record, counted }) => {
      const said: ChainRecord = JSON.parse(record);
      if (!('event' in said)) return [];
      return [`${cefOf({ ...said.event, ...counted }, `${said.chain}:${said.number}`)}\n`];
    },
  ],
]);

function sinceOf(date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) throw new StartError(`--since is a day, as 2026-11-23, and not "${date}".`);
  return time;
}

const publicKey = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

function keysOf(file: string): readonly KeyObject[] {
  const found = readNamed(file).match(publicKey) ?? [];
  try {
    const keys = found.map((key) => createPublicKey(key));
    if (keys.length > 0 && keys.every(({ asymmetricKeyType: type }) => type === 'ed25519')) return keys;
  } catch {
    // Said below.
  }
  throw new StartError(`${file} holds no public keys as audit key prints them.`);
}

/** @throws StartError with what is wrong with it */
async function verified(file: string, keys: readonly KeyObject[]): Promise<Verified> {
  const verifier = new ChainVerifier(keys);
  const handle = await open(file).catch((cause) => {
    throw new StartError(`${file} cannot be read.`, { cause });
  });
  try {
    for await (const line of handle.readLines()) verifier.add(line);
    return verifier.end();
  } catch (cause) {
    if (cause instanceof ChainFault) throw new StartError(cause.message, { cause });
    throw cause;
  } finally {
    await handle.close();
  }
}

function sentenceOf({ events, first, last, signed, isPart, isShortened }: Verified): string {
  const span =
    first === undefined || last === undefined
      ? ''
      : ` from ${formatTimestamp(first)} to ${formatTimestamp(last)}`;
  const part = isPart ? ' It begins at a checkpoint: what was before is not in it.' : '';
  const shortened = isShortened ? ' What was before was removed for its age, as the log itself says.' : '';
  return `Whole and unchanged: ${events} ${events === 1 ? 'event' : 'events'}${span}, signed at ${formatTimestamp(signed)}.${part}${shortened}`;
}
