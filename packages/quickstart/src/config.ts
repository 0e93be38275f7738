/** The configuration of a quick start: an ordinary file in the data folder, to be read and changed. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { firstAdministrators, firstConfiguration } from '@watchword/cli';
import { bundled, Dn, StartError } from '@watchword/core';
import { whyUnreadable } from '@watchword/node';

export const base = 'dc=example,dc=org';
export const administrators = firstAdministrators(Dn.parse(base)).toString();

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
    const text = firstConfiguration({ author: 'npm start', base: Dn.parse(base), data: '.' });
    await writeFile(path, text + messages, { mode: 0o600, flag: 'wx' });
    return path;
  } catch (cause) {
    throw new StartError(
      `The data folder ${data} cannot be used (${whyUnreadable(cause)}); choose another with WATCHWORD_DATA.`,
      { cause },
    );
  }
}

const { OTPFallback, SelfRegister, PasswordReset, Issuer } = bundled.Otp.settings;

/** Messages that anybody at this machine may look at. */
const messages = `
# For trying out: mails and SMS become files in this folder, and reach nobody. Before people log in with codes by SMS or mail,
# name a mail server and a gateway in its place: docs/guide/messages.md
mail: {type: folder, folder: messages}
sms: {type: folder, folder: messages}

settings:
  # As apps name the accounts of people that register a token: Watchword, alice.
  ${Issuer.name}: Watchword
  # Users without a token log in with a code by SMS.
  ${OTPFallback.name}: SMS
  # On the page of their own, /self/ of the web services, people register tokens, and ask for a link where a password is lost.
  ${SelfRegister.name}: Yes
  ${PasswordReset.name}: Yes
`;

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
