/** The administration guide, typed from its first line to its last. */
import { watch } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Block } from './blocks.ts';
import { runGuide, typeBlock } from './guide.ts';
import { runProgram } from './program.ts';
import { openStand, type Stand } from './stand.ts';

const password = `const password = process.env.PASSWORD ?? '';`;

/** The section before has made it. */
const manager = `
import { readFile } from 'node:fs/promises';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
${password}
const transport = nodeTransport({ ca: await readFile('data/ca.pem', 'utf8') });
const manager = createManager({ url: 'https://localhost:4443/manag/', username: 'admin', password, fetch: transport.fetch });
const dn = await manager.Get_User_DN({ username: 'bob', domain: 'Default' });
`;

/** In mode PKI, and with the certificate that the guide has had signed. */
async function inModePki(work: () => Promise<void>, stand: Stand): Promise<void> {
  await stand.restart({ WATCHWORD_MANAGER_AUTH: 'PKI' });
  try {
    await work();
  } finally {
    await stand.restart({});
  }
}

let registration: Promise<string>;

async function fileIn(folder: string, name: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === name) return;
}

runGuide<Stand>('docs/guide/administering.md', {
  open: openStand,
  runners: {
    'Log in with a certificate/sh/2': (block, stand) => inModePki(() => typeBlock(block, stand), stand),
    'Call it from TypeScript/ts': async (block, stand) => {
      const after = 'console.log(JSON.stringify({ dn, names, groups }));';
      expect(JSON.parse(await runProgram(block, stand, { before: password, after }))).toEqual({
        dn: 'uid=alice,ou=people,dc=example,dc=org',
        names: ['alice'],
        groups: expect.arrayContaining(['cn=staff,ou=groups,dc=example,dc=org']),
      });
    },
    'Call it from TypeScript/ts/2': (block, stand) =>
      inModePki(async () => {
        const before = `
import { readFile } from 'node:fs/promises';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
const url = 'https://localhost:4443/manag/';
${password}`;
        const after = 'console.log(await manager.Count_Activated_Users({})); await transport.close();';
        expect(await runProgram(block, stand, { before, after })).toMatch(/^\d+\n$/);
      }, stand),
    'Register a soft token while the user waits/ts': async (block: Block, stand) => {
      const shown = fileIn(stand.folder, 'qr.gif');
      const after =
        'console.log(JSON.stringify(await manager.Otp.User_Tokens({ dn }))); await transport.close();';
      registration = runProgram(block, stand, { before: manager, after });
      await Promise.race([shown, registration]);
    },
    'Register a soft token while the user waits/sh': async (block, stand) => {
      await typeBlock(block, stand);
      expect(JSON.parse(await registration)).toMatchObject([{ id: 1, type: 'TOTP', model: 'Soft token' }]);
    },
  },
});
