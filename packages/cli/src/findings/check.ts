/**
 * `--check`: tries what a server would need, and makes nothing. An embedded directory, a store and a key ring that are
 * not there yet are made by the first start.
 */

import { mountDirectories, type ServerConfig } from '@watchword/core';
import { StartError } from '@watchword/core/foundation';
import {
  administratorWarning,
  directoriesOf,
  type Finding,
  foreignSecrets,
  found,
  inspectInstallation,
  lockoutWarning,
  lookOr,
  problem,
  refuseMoved,
  refuseOlder,
  secretCollections,
  warning,
} from '@watchword/core/operator';
import type { CertificateRecords, Directory, KeyRing, Log } from '@watchword/core/ports';
import {
  holdsState,
  nameOfKept,
  type openDirectory,
  openReadable,
  type ReadableEngines,
} from '@watchword/engines/installation';
import { readKeyRing, systemClock } from '@watchword/node';
import { certificateFindings } from './files.ts';

export interface CheckTask {
  readonly config: ServerConfig;
  readonly server: 'manager' | 'ws';
  readonly init: string;
  readonly log: Log;
  readonly openDirectory: typeof openDirectory;
}

export async function checkInstallation(checked: CheckTask): Promise<readonly Finding[]> {
  const files = certificateFindings(checked.server, checked.config);
  try {
    return [...(await lookInside(checked)), ...files];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [problem(error.message.replace(/\.$/, '')), ...files];
  }
}

type Found = (ReadableEngines & { readonly keys: KeyRing }) | undefined;

async function openFound(config: ServerConfig): Promise<Found> {
  if (!(await holdsState(config))) return undefined;
  const keys = readKeyRing(config.keys_file, { mayCreate: false });
  return { ...(await openReadable(config)), keys };
}

async function lookInside(checked: CheckTask): Promise<readonly Finding[]> {
  const { config } = checked;
  const kept = await openFound(config);
  try {
    if (kept) {
      refuseMoved(kept.folder);
      await refuseOlder(kept.folder);
    }
    const name = nameOfKept(config);
    const opens = kept
      ? `${name} opens, and so does its key ring`
      : `${name} ${config.store.type === 'embedded' ? 'is new: the first start makes it' : 'holds nothing yet'}`;
    return [
      found(opens),
      ...(await lookAtDirectories(checked, kept)),
      ...(await lockoutFindings(checked, kept)),
    ];
  } finally {
    await kept?.close();
  }
}

/** The directory of a folder without one. */
const nobody: Pick<Directory, 'read'> = { read: async () => undefined };

async function lookAtDirectories(
  { config, server, init, log, openDirectory }: CheckTask,
  folder: Found,
): Promise<readonly Finding[]> {
  const all = directoriesOf(config);
  const isThere = ({ settings }: (typeof all)[number]) => settings.type === 'ldap' || folder !== undefined;
  const absent = all.filter((one) => !isThere(one)).map(({ base }) => base);
  const view = { config, environment: folder?.environment, log };
  const mounts = await Promise.all(
    all
      .filter(isThere)
      .map(async ({ base, settings }) => ({ base, server: await openDirectory(settings, view) })),
  );
  const [home, ...others] = mounts;
  const lacking = folder ? undefined : await administratorWarning({ config, command: init }, nobody);
  const findings = lacking === undefined ? [] : [warning(lacking.replace(/\.$/, ''))];
  if (!home) return findings;
  const directory = mountDirectories(home, others);
  try {
    return [
      ...(await inspectInstallation({
        ...{ config, server, directory, init, store: folder?.store, absent, counts: true },
        clock: systemClock,
      })),
      ...(folder ? await secretFindings({ ...folder, config, directory }) : []),
      ...findings,
    ];
  } finally {
    await directory.close();
  }
}

/** Looks for foreign secrets; a directory that does not answer is reported already. */
function secretFindings(view: Parameters<typeof secretCollections>[0]): Promise<readonly Finding[]> {
  return lookOr(
    async () => {
      const { config, keys } = view;
      const foreign = await foreignSecrets(secretCollections(view), { keys, file: config.keys_file });
      if (!foreign) return [];
      return [foreign.isAll ? problem(foreign.text) : warning(foreign.text)];
    },
    () => warning('whether the key ring opens the secrets of users could not be looked at'),
  );
}

const noRecords: Pick<CertificateRecords, 'some'> = { some: async () => false };

async function lockoutFindings({ config, server }: CheckTask, folder: Found): Promise<readonly Finding[]> {
  if (server !== 'manager') return [];
  const certificates = folder?.certificates ?? noRecords;
  const lockout = await lockoutWarning(config, { certificates, clock: systemClock });
  return lockout === undefined ? [] : [warning(lockout.replace(/\.$/, ''))];
}
