/** The move: an export of the quick start is loaded by slapadd, as it is typed, and read back. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { slapdConfiguration } from '../../packages/core/src/testing/bed/engines/slapd-configuration.ts';
import { issueCertificate } from '../../packages/core/src/testing/bed/scratch.ts';
import { root } from './blocks.ts';
import { runGuide, typeBlock } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

/** An empty slapd as the guide wants it prepared: its slapadd takes the place of the machine's. */
async function openPrepared(): Promise<Stand> {
  const stand = await openStand();
  const folder = join(stand.folder, 'slapd');
  await mkdir(join(folder, 'db'), { recursive: true });
  const schema = `${root}schema/watchword.schema`;
  const certificate = await issueCertificate(folder);
  const configuration = slapdConfiguration({ folder, base: 'dc=example,dc=org', certificate, schema });
  await writeFile(join(folder, 'slapd.conf'), configuration);
  await stand.shell.run(`slapadd() { /usr/sbin/slapadd -f slapd/slapd.conf "$@"; }
slapcat() { /usr/sbin/slapcat -f slapd/slapd.conf "$@"; }`);
  return stand;
}

runGuide<Stand>('docs/guide/moving-to-openldap.md', {
  open: openPrepared,
  runners: {
    'Prepare an empty slapd/sh': async (block, stand) => {
      await typeBlock(block, stand);
      await stand.shell.run(
        'sed "s#/etc/ldap/schema/nis#$PWD/rfc2307bis#" slapd/slapd.conf > slapd/bis.conf',
      );
      await stand.shell.run(
        '/usr/sbin/slaptest -u -f slapd/bis.conf; grep -q "posixGroup.*AUXILIARY" <(tr -d "\\n" < rfc2307bis.schema)',
      );
    },
    'Load the export/sh': async (block, stand) => {
      await typeBlock(block, stand);
      expect(await stand.shell.run('slapcat')).toContain('dn: uid=alice,ou=people,dc=example,dc=org\n');
    },
    'Move the other way/sh/2': async (block, stand) => {
      await stand.stop();
      await stand.shell.run('mkdir before && mv data/data.mdb* before/');
      await typeBlock(block, stand);
      await stand.restart({});
      const login = 'curl -sS --cacert data/ca.pem -u "admin:$PASSWORD" https://localhost:4443/manag/ -d';
      const call = `'{"jsonrpc": "2.0", "id": 1, "method": "Count_Activated_Users"}'`;
      expect(JSON.parse(await stand.shell.run(stand.here(`${login} ${call}`)))).toMatchObject({ result: 4 });
    },
  },
});
