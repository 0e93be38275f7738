/** The guide of the web services: every call is made, over REST, SOAP, the typed client and in process. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { runGuide, typeBlock } from './guide.ts';
import { runExample, runProgram } from './program.ts';
import { openStand, type Stand } from './stand.ts';

/** The reader has read the other guide: alice has a certificate. */
async function openWithCertificate(): Promise<Stand> {
  const stand = await openStand();
  await runExample('enroll-user-certificate/enroll.ts', ['data/quickstart.json', 'alice'], stand);
  await stand.shell.run('cp data/alice-certificate.pem alice.pem; PASSWORD=$ALICE_PASSWORD');
  return stand;
}

const fields = (stand: Stand) => `
const username = 'alice';
const ldapPassword = process.env.ALICE_PASSWORD ?? '';
const otpPassword = '${stand.nextCode()}';
const ask = async (..._: readonly unknown[]) => otpPassword;
`;

const inProcess = `
import { createService, serviceSettings } from '@watchword/core';
import { createLog } from '@watchword/node';
import { openEngines } from '@watchword/engines';
// It is private, and packed without types.
const { readConfiguration } = await import('@watchword/cli' as string);
const { config } = readConfiguration('data/watchword.yaml', {});
const engines = await openEngines(config, createLog({ level: 'error', format: 'text' }, process.stderr));
const service = createService(serviceSettings(config), engines);
`;

runGuide<Stand>('docs/guide/web-services.md', {
  open: openWithCertificate,
  runners: {
    sh: async (block, stand) => {
      if (block.text.includes('$CODE')) await stand.shell.run(`CODE=${stand.nextCode()}`);
      await typeBlock(block, stand);
    },
    php: async ({ text }, stand) => {
      const begin = `<?php $password = getenv('ALICE_PASSWORD'); $code = '${stand.nextCode()}';`;
      const file = join(stand.folder, 'login.php');
      await writeFile(file, `${begin}\n${stand.here(text)}\necho json_encode($answer);`);
      const env = { ...process.env, ...stand.environment };
      const { stdout } = await promisify(execFile)('php', [file], { cwd: stand.folder, env });
      expect(JSON.parse(stdout)).toMatchObject({ code: 1 });
    },
    'Log in from TypeScript/ts': async (block, stand) => {
      const after = 'console.log(answer.code, answer.message);';
      const printed = await runProgram(block, stand, { before: fields(stand), after });
      expect(printed).toBe('1 Authentication success\n');
    },
    'Log in without a server/ts': async (block, stand) => {
      const before = inProcess + fields(stand);
      const after = 'console.log(answer.code, answer.message); await service.close(); await engines.close();';
      const printed = await runProgram(block, stand, { before, after });
      expect(printed).toBe('1 Authentication success\n');
    },
  },
});
