/** One domain controller for all tables of the lane of Active Directory, which are played on it one after the other. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Samba, startSamba } from '../../packages/core/src/testing/engines/samba.ts';

const run = promisify(execFile);

let shared: Promise<Samba> | undefined;

/** Without lockouts: the lock of the directory would be one more throttle. */
export function sharedSamba(): Promise<Samba> {
  shared ??= startSamba({ realm: 'EXAMPLE.ORG', locks: false });
  return shared;
}

export async function stopSharedSamba(): Promise<void> {
  await (await shared)?.stop();
  shared = undefined;
}

/** Removes entries with all below them, so that the next table begins with none. */
export async function removeWhole(samba: Samba, dns: readonly string[]): Promise<void> {
  const bind = ['-x', '-D', samba.adminDn, '-w', samba.adminPassword];
  await run('ldapdelete', [...bind, '-H', samba.url, '-r', ...dns]);
}
