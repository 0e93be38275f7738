/**
 * The guide "In production", typed from its beginning to its end in a folder of the test: every line of its shell is
 * run, with stand-ins for what needs root or a registry (machine.sh).
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@watchword/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, type Ended, type Program, start } from './program.ts';

const root = new URL('../../', import.meta.url);
let folder: string;
let program: Program;
let told: Ended;

/** Places of the guide that are below our folder in the test. */
const places =
  /(?<![\w.])\/(?:opt|etc|root|usr\/local|var\/(?:lib|backups)|tmp\/watchword-(?:ca|packages))(?=[/\s"'.*-]|$)/gm;

/** Its shell, block by block, each with what it follows in the text. */
async function readBlocks(): Promise<readonly string[]> {
  const text = await readFile(new URL('docs/guide/in-production.md', root), 'utf8');
  return Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```/gm), ([, block = '']) => block);
}

/** After the backup somebody is added, whom a restored folder cannot know. */
const later = `printf 'dn: uid=later,dc=example,dc=com\\nobjectClass: inetOrgPerson\\ncn: x\\nsn: x\\n' |
  watchword-manager import-ldif --config /etc/watchword/watchword.yaml
echo "before: $(watchword-manager export-ldif --config /etc/watchword/watchword.yaml | grep '^dn: uid')"
`;
const afterwards = `echo "after: $(watchword-manager export-ldif --config /etc/watchword/watchword.yaml | grep '^dn: uid')"
curl -sS --cacert /tmp/watchword-ca.pem https://localhost:8443/readyz
curl -sS --cacert /tmp/watchword-ca.pem -u "admin:$(cat $PASSWORD)" \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "Count_Activated_Users"}' https://localhost:4443/manag/
systemctl stop watchword-manager watchword-ws
`;

beforeAll(async () => {
  program = await buildProgram();
  folder = await mkdtemp(join(tmpdir(), 'watchword-production-'));
  const [manager = 0, ws = 0] = await freePorts(2);
  await writeFile(join(folder, 'password'), 'correct horse battery staple\n', { mode: 0o600 });
  const blocks = (await readBlocks()).flatMap((block) =>
    block.includes('systemctl stop') ? [later, block] : [block],
  );
  const [machine] = await Promise.all([readFile(new URL('machine.sh', import.meta.url), 'utf8')]);
  const typed = [...once(blocks, later), afterwards]
    .join('\n')
    .replace(places, (place) => folder + place)
    .replaceAll(':4443', `:${manager}`)
    .replaceAll(':8443', `:${ws}`);
  const variables = {
    ...{ S: folder, PASSWORD: join(folder, 'password') },
    ...{ MANAGER: program.modules['watchword-manager'], WS: program.modules['watchword-ws'] },
    ...{ WATCHWORD_MANAGER__PORT: String(manager), WATCHWORD_WS__PORT: String(ws) },
  };
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  await writeFile(
    join(folder, 'typed.sh'),
    [...exports, machine, `cd '${fileURLToPath(root)}'`, typed].join('\n'),
  );
  told = await start([join(folder, 'typed.sh')], ['bash']).ended;
}, 180_000);
afterAll(async () => {
  await rm(folder, { recursive: true });
  await program.dispose();
});

/** Keeps the first of what stands there several times. */
const once = (all: readonly string[], text: string): readonly string[] =>
  all.filter((each, index) => each !== text || all.indexOf(text) === index);

it('every command of the guide does what it is for', () => {
  expect([told.code, told.errors.replace(/^\d+ entries\n/gm, '')]).toEqual([0, '']);
  expect(told.output).toContain('is the administrator, and logs in to the Manager as admin.');
  expect(told.output).toContain('has the new password');
  expect(told.output.match(/"status":"ok"/g)?.length).toBe(3);
});

it('the restore brings back the moment of the copy, and an administrator who logs in', () => {
  expect(told.output).toContain(
    'before: dn: uid=admin,ou=people,dc=example,dc=com\ndn: uid=later,dc=example,dc=com\n',
  );
  expect(told.output).toContain('after: dn: uid=admin,ou=people,dc=example,dc=com\n{');
  expect(told.output).toContain('{"jsonrpc":"2.0","id":1,"result":0}');
});
