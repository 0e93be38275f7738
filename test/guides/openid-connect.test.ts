/** The guide of OpenID Connect: what it types is typed, and its configuration is one. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkConfiguration, runGuide, typeBlock } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

runGuide<Stand>('docs/guide/openid-connect.md', {
  open: openStand,
  runners: {
    'Register an application/sh': async (block, stand) => {
      await typeBlock(block, stand);
      const secret = (await readFile(join(stand.folder, 'client-secret.txt'), 'utf8')).trim();
      await stand.restart({
        WATCHWORD_OPENID_CLIENTS__WIKI__SHA256: createHash('sha256').update(secret).digest('hex'),
        WATCHWORD_OPENID_CLIENTS__WIKI__REDIRECT_URIS: '"https://wiki.example.com/callback"',
      });
    },
    'Register an application/yaml': checkConfiguration,
    'Admit some users only/yaml': checkConfiguration,
  },
});
