/** The configuration of a quick start: an ordinary file in the data folder, to be read and changed. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '@watchword/core';
import { whyUnreadable } from '@watchword/core/adapters/system';

export const base = 'dc=example,dc=org';
export const administrators = `cn=administrators,ou=groups,${base}`;

const text = `# Made by npm start. docs/reference/settings.md says what else can be set.
data: .

directory:
  type: embedded
  base: ${base}

domains:
  Default:
    base: ${base}

# Members of this group administer everything, in the Manager and in the embedded directory.
super_admins:
  - ${administrators}

manager_auth: UID
manager_session: 300

manager:
  host: 127.0.0.1
  port: 4443

ws:
  host: 127.0.0.1
  port: 8443

log:
  level: info
`;

/**
 * The path of the configuration in a data folder (absolute); both are made if they are not there.
 * @throws StartError
 */
export async function ensureConfig(data: string, progress: (line: string) => void): Promise<string> {
  const path = join(data, 'watchword.yaml');
  try {
    await makeFolder(data);
    if (await isThere(path)) return path;
    progress(`First start: setting up ${data}`);
    await writeFile(path, text, { mode: 0o600, flag: 'wx' });
    return path;
  } catch (cause) {
    throw new StartError(
      `The data folder ${data} cannot be used (${whyUnreadable(cause)}); choose another with WATCHWORD_DATA.`,
      { cause },
    );
  }
}

/** Recursion only where a parent is missing: Node's runs for ever where a parent refuses with ENOENT (/proc). */
async function makeFolder(path: string): Promise<void> {
  if (await isThere(path)) return;
  await mkdir(path, { recursive: !(await isThere(dirname(path))), mode: 0o700 });
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
