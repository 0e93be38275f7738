/** `npm run -s enroll-user-certificate -- data/quickstart.json alice`: a certificate for a user of the quick start. */
import { dirname } from 'node:path';
import { command } from '@watchword/quickstart/shell';
import { runCommand } from './command.ts';
import { enrollUser } from './enrolment.ts';
import { readQuickStart, withManager } from './quickstart.ts';

async function run([file, username]: readonly string[]): Promise<void> {
  if (file === undefined || username === undefined)
    throw new Error('Usage: enroll-user-certificate QUICKSTART.JSON USERNAME');
  const facts = await readQuickStart(file);
  const place = { folder: dirname(file), name: username };
  const user = { username, domain: 'Default' };
  const { certificate, key } = await withManager(facts, (manager) => enrollUser(manager, user, place));
  const shown = ['--data-urlencode', `certificate@${certificate}`];
  const line = command('curl', '--cacert', facts.ca, ...shown, `${facts.ws_url}otp/json/otpPKILogin/`);
  console.log(`Certificate: ${certificate}
Key:         ${key}

A system that has checked that the user holds the key asks whose the certificate is, and whether that user may log in:

  ${line}`);
}

await runCommand(run);
