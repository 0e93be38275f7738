/** Active Directory with exactly the rights of docs/guide/directories.md, given on Samba by what the guide types. */
import { execFileSync } from 'node:child_process';
import { type Samba, startSamba } from '@watchword/core/testing/bed';
import { describeRights } from './factors.ts';
import type { Place } from './ground.ts';
import { blockUnder } from './guide.ts';

/** The guide's domain is another. */
const here = (text: string): string => text.replaceAll(/dc=com/gi, 'DC=test');
const password = 'Of-the-s3rvice';

/** An ordinary account, as the guide wants it. */
function addService({ configuration }: Samba): void {
  execFileSync('samba-tool', ['user', 'create', 'watchword', password, '-s', configuration], {
    stdio: 'pipe',
  });
}

function giveRights({ configuration }: Samba): void {
  const typed = here(blockUnder('Give the service its rights in Active Directory', 'sh'));
  // On the domain controller itself samba-tool finds its configuration by itself.
  const found = `samba-tool() { command samba-tool "$@" -s '${configuration}'; }\n`;
  execFileSync('bash', ['-euo', 'pipefail', '-c', found + typed], { stdio: 'pipe' });
}

const placeOf = (samba: Samba): Place => ({
  yaml: here(blockUnder('Active Directory', 'yaml')),
  url: samba.ldapsUrl,
  ca: samba.ca,
  password,
  administrator: { username: 'Administrator', password: samba.adminPassword },
  people: samba.users,
  groups: samba.users,
  groupClass: 'group',
  person: (username, userpassword) => ({ objectclass: ['user'], samaccountname: username, userpassword }),
  stop: () => samba.stop(),
});

describeRights('Samba', {
  guided: async () => {
    const samba = await startSamba();
    addService(samba);
    giveRights(samba);
    return placeOf(samba);
  },
  letsUsers: true,
  readOnly: async () => {
    const samba = await startSamba();
    addService(samba);
    return { ...placeOf(samba), mighty: { dn: samba.adminDn, password: samba.adminPassword } };
  },
});
