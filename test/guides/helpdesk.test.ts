/** The helpdesk guide, with exactly the rights that it names: every call by curl, then every call by the typed client. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Block } from './blocks.ts';
import { runGuide, typeBlock } from './guide.ts';
import { runExample, runProgram } from './program.ts';
import { openStand, type Stand } from './stand.ts';

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const bob = 'uid=bob,ou=people,dc=example,dc=org';
const carol = 'uid=carol,ou=people,dc=example,dc=org';

/** A call that is not in the guide. */
async function call(user: 'admin' | 'carol', method: string, params: object, { shell, here }: Stand) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const password = user === 'admin' ? '$ADMIN_PASSWORD' : '$PASSWORD';
  const curl = `curl -sS --cacert data/ca.pem -u "${user}:${password}" https://localhost:4443/manag/ -d '${body}'`;
  return JSON.parse(await shell.run(here(curl)));
}

async function makeHelpdesk(block: Block, stand: Stand): Promise<void> {
  await appendFile(join(stand.folder, 'data/watchword.yaml'), block.text);
  const password = stand.facts.users.find(({ username }) => username === 'carol')?.password;
  await stand.shell.run(`ADMIN_PASSWORD=$PASSWORD PASSWORD='${password}'`);
  const dn = 'cn=helpdesk,ou=groups,dc=example,dc=org';
  const attrs = { objectclass: ['groupOfNames'], member: [carol] };
  expect(await call('admin', 'Create_LDAP_Object', { dn, attrs }, stand)).toMatchObject({ result: 1 });
  await stand.restart({});
}

/** Alice tries, with a wrong password. */
const fail = ({ shell, here }: Stand) =>
  shell.run(
    here(
      'curl -sS --cacert data/ca.pem https://localhost:8443/otp/json/otpNormalLogin/ -d username=alice -d ldapPassword=x -d otpPassword=000000',
    ),
  );

/** The user has the mail: scans, and confirms with the PIN. */
async function confirm(stand: Stand): Promise<void> {
  const ground = { ...stand, environment: { NODE_EXTRA_CA_CERTS: 'data/ca.pem' } };
  const account = ['--account', 'alice.json'];
  await runExample('soft-token/soft-token.ts', ['scan', 'qr.gif', ...account], ground);
  await runExample('soft-token/soft-token.ts', ['confirm', '--pincode', '4711', ...account], ground);
  expect(await call('carol', 'Otp.User_Tokens', { dn: alice }, stand)).toMatchObject({
    result: [{ type: 'TOTP' }],
  });
}

/** A code of the new token that nobody has used. */
const codeIn = (seconds: number, { shell }: Stand): Promise<string> =>
  shell.run(
    `oathtool --totp --now "${seconds} seconds" "$(echo "$KEY" | base64 -d | od -An -v -tx1 | tr -d ' \\n')"`,
  );

const programs: string[] = [];

async function runAll(stand: Stand, block: Block): Promise<void> {
  const password = stand.facts.users.find(({ username }) => username === 'carol')?.password;
  const before = `
const password = '${password}';
const code = '${(await codeIn(90, stand)).trim()}';
const [otp1, otp2] = ['287922', '162583'];`;
  const after =
    'console.log(JSON.stringify({ dn, methods, blocked, emergency, size, used, codes, state, found, ahead }));';
  const printed = await runProgram({ ...block, text: programs.join('\n') }, stand, { before, after });
  expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual({
    ...{ dn: alice, methods: ['TOKEN', 'SMS'], blocked: false, emergency: expect.stringMatching(/^\d{6}$/) },
    ...{
      size: 10,
      used: 0,
      codes: expect.arrayContaining([expect.any(String)]),
      state: 2,
      found: 1,
      ahead: 1,
    },
  });
}

runGuide<Stand>('docs/guide/helpdesk.md', {
  open: openStand,
  runners: {
    'Get ready/yaml': makeHelpdesk,
    'Why did a login fail?/sh': async (block, stand) => {
      await fail(stand);
      await typeBlock(block, stand);
    },
    'Unblock a user/sh': async (block, stand) => {
      for (let failures = 1; failures < 5; failures += 1) await fail(stand);
      await typeBlock(block, stand);
    },
    'Reset a lost token/sh/3': async (block, stand) => {
      await typeBlock(block, stand);
      await confirm(stand);
    },
    'Resynchronise a token/sh': async (block, stand) => {
      await stand.shell.run(`CODE=${(await codeIn(60, stand)).trim()}`);
      await typeBlock(block, stand);
    },
    'Resynchronise a token/sh/2': async (block, stand) => {
      const params = { dn: bob, key: Buffer.from('12345678901234567890').toString('base64') };
      expect(await call('admin', 'Otp.HOTP_Register', params, stand)).toMatchObject({ result: 1 });
      await typeBlock(block, stand);
    },
    'Give a new PIN/sh': async (block, stand) => {
      const params = { dn: alice, settings: { 'Otp.OTPPrefix': 'Yes' } };
      expect(await call('admin', 'Set_User_Settings', params, stand)).toMatchObject({ result: 1 });
      await typeBlock(block, stand);
    },
    ts: ({ text }) => void programs.push(text),
    'Block a user/ts': async (block, stand) => {
      programs.push(block.text);
      await runAll(stand, block);
    },
  },
});
