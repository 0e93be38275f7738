/** `npm run -s enroll-admin-certificate -- data/quickstart.json`: a certificate for the administrator of the quick start. */
import { dirname, join } from 'node:path';
import { command } from '@watchword/quickstart/shell';
import { runCommand } from '../enroll-user-certificate/command.ts';
import { readQuickStart, withManager } from '../enroll-user-certificate/quickstart.ts';
import { enrollAdministrator } from './enrolment.ts';

async function run([file]: readonly string[]): Promise<void> {
  if (file === undefined) throw new Error('Usage: enroll-admin-certificate QUICKSTART.JSON');
  const facts = await readQuickStart(file);
  const place = { folder: dirname(file), name: 'admin' };
  const { certificate, key } = await withManager(facts, (manager) => enrollAdministrator(manager, place));
  const shown = ['--cacert', facts.ca, '--cert', certificate, '--key', key];
  const line = command('curl', ...shown, '-u', `${facts.admin.username}:PASSWORD`);
  console.log(`Certificate: ${certificate}
Key:         ${key}

Now the Manager may demand it: set  manager_auth: PKI  in ${join(place.folder, 'watchword.yaml')} and start again.
From then on a call needs both the certificate and the password:

  ${line} …`);
}

await runCommand(run);
