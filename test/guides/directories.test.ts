/**
 * The guide of the directories: its configurations are read, its access rules are slapd's, and the two forms of them say
 * the same. What they are enough for: test/directory-rights.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { slapdConfiguration } from '../../packages/core/src/testing/bed/engines/slapd-configuration.ts';
import { issueCertificate } from '../../packages/core/src/testing/bed/scratch.ts';
import { type Block, readBlocks, root } from './blocks.ts';
import { runGuide } from './guide.ts';
import { openRoom, type Room } from './reading-room.ts';

const base = 'dc=example,dc=com';
const schema = `${root}schema/watchword.schema`;

/** A folder with a slapd.conf; what is in `more` differs from the usual. */
async function configure({ line }: Block, { folder }: Room, more: { access?: string; schema?: string }) {
  const place = join(folder, `slapd-${line}`);
  await mkdir(join(place, 'db'), { recursive: true });
  await mkdir(join(place, 'slapd.d'));
  const certificate = await issueCertificate(place);
  await writeFile(
    join(place, 'slapd.conf'),
    slapdConfiguration({ folder: place, base, certificate, schema, ...more }),
  );
  return place;
}

/** The rules for cn=config are those for slapd.conf before them. */
async function changeConfig(block: Block, room: Room): Promise<void> {
  const place = await configure(block, room, {});
  await writeFile(join(place, 'change.ldif'), block.text);
  const slap = (typed: string) => room.shell.run(`cd ${place} && /usr/sbin/${typed}`);
  await slap(`slapadd -f slapd.conf -b ${base} -l /dev/null`);
  await slap('slaptest -f slapd.conf -F slapd.d');
  await slap('slapmodify -F slapd.d -n 0 -l change.ldif');
  const config = await slap('slapcat -F slapd.d -n 0 -o ldif-wrap=no');
  const [, database = ''] = config.split('dn: olcDatabase={1}mdb,cn=config');
  const rules = [...database.matchAll(/^olcAccess: \{\d\}(.+)/gm)].map(([, rule]) => `access ${rule}`);
  const [written] = readBlocks(block.page).filter(
    ({ heading, language }) => heading === block.heading && language === 'conf',
  );
  expect(rules.join(' ')).toBe(written?.text.trim().replaceAll(/\s+/g, ' '));
}

runGuide<Room>('docs/guide/directories.md', {
  open: openRoom,
  runners: {
    conf: async (block, room) => {
      const place = await configure(block, room, { access: block.text });
      await room.shell.run(`/usr/sbin/slaptest -u -f ${place}/slapd.conf`);
    },
    'Load the schema/conf': async (block, room) => {
      const [, path = ''] = /^include \/path\/to\/(.+)$/m.exec(block.text) ?? [];
      const place = await configure(block, room, { schema: `${root}${path}` });
      await room.shell.run(`/usr/sbin/slaptest -u -f ${place}/slapd.conf`);
    },
    ldif: changeConfig,
  },
});
