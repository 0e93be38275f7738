/** The guide of the directories: its configurations are read, and its access rules are slapd's. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueCertificate } from '../../packages/core/src/testing/scratch.ts';
import { slapdConfiguration } from '../../packages/core/src/testing/slapd-configuration.ts';
import { root } from './blocks.ts';
import { runGuide } from './guide.ts';
import { openRoom, type Room } from './reading-room.ts';

runGuide<Room>('docs/guide/directories.md', {
  open: openRoom,
  runners: {
    conf: async ({ text, line }, { folder, shell }) => {
      const place = join(folder, `slapd-${line}`);
      await mkdir(join(place, 'db'), { recursive: true });
      const certificate = await issueCertificate(place);
      const schema = `${root}schema/watchword.schema`;
      const usual = slapdConfiguration({ folder: place, base: 'dc=example,dc=com', certificate, schema });
      const [before = '', after = ''] = usual.split(/^access[\s\S]*(?=^overlay ppolicy)/m);
      await writeFile(join(place, 'slapd.conf'), `${before}${text}${after}`);
      await shell.run(`/usr/sbin/slaptest -u -f ${place}/slapd.conf`);
    },
  },
});
