/**
 * The guide "In production", typed from its beginning to its end in a folder of the test: every line of its shell is
 * run, with stand-ins for what needs root or a registry (machine.sh).
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildProgram, type Ended, type Program, start } from '../operator/program.ts';
import { readBlocks, textOf } from './blocks.ts';
import { checkConfiguration } from './guide.ts';

const root = new URL('../../', import.meta.url);
let folder: string;
let program: Program;
let result: Ended;

/** Places of the guide that are below our folder in the test. */
const places =
  /(?<![\w.])\/(?:opt|etc|root|usr\/local|var\/(?:lib|backups)|tmp\/watchword-(?:ca|packages))(?=[/\s"'.*-]|$)/gm;

const page = 'docs/guide/in-production.md';
const blocks = readBlocks(page);
const shell = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
/** An image is built where there is a builder, in test/deploy. */
const isForContainers = (text: string): boolean => text.startsWith('podman ');

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
  const steps = shell
    .filter((text) => !isForContainers(text))
    .flatMap((block) => (block.includes('systemctl stop') ? [later, block] : [block]));
  const machine = await readFile(new URL('machine.sh', import.meta.url), 'utf8');
  const typed = [...once(steps, later), afterwards]
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
  result = await start([join(folder, 'typed.sh')], ['bash']).ended;
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await program.dispose();
});

/** Keeps the first of what stands there several times. */
const once = (all: readonly string[], text: string): readonly string[] =>
  all.filter((each, index) => each !== text || all.indexOf(text) === index);

it('every command of the guide does what it is for', () => {
  expect([result.code, result.errors.replace(/^\d+ entries\n/gm, '')]).toEqual([0, '']);
  expect(result.output).toContain('is the administrator, and logs in to the Manager as admin.');
  expect(result.output).toContain('\n1 user in Default, 0 of them activated\n');
  expect(result.output).toContain('has the new password');
  expect(result.output.match(/"status":"ok"/g)?.length).toBe(3);
  expect(result.output.match(/configuration reloaded/g)?.length).toBe(2);
});

it('the restore brings back the moment of the copy, and an administrator who logs in', () => {
  expect(result.output).toContain(
    'before: dn: uid=admin,ou=people,dc=example,dc=com\ndn: uid=later,dc=example,dc=com\n',
  );
  expect(result.output).toContain('after: dn: uid=admin,ou=people,dc=example,dc=com\n{');
  expect(result.output).toContain('{"jsonrpc":"2.0","id":1,"result":0}');
});

it.each(blocks.filter(({ language }) => language === 'yaml'))('$id is a configuration', (block) => {
  expect(() => checkConfiguration(block)).not.toThrow();
});

it('has blocks that are run, and no others', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'yaml']));
});

it('starts in containers what the image has, with one set of process numbers', async () => {
  const lines = shell.filter(isForContainers).join('').replaceAll('\\\n', ' ').trim().split('\n');
  const image = textOf('deploy/Containerfile');
  for (const line of lines) {
    const [before = '', after = ''] = line.split(/ watchword(?= |$)/);
    for (const [, place = ''] of before.matchAll(/ -v [\w-]+:(\S+)/g)) expect(image).toContain(`"${place}"`);
    for (const [, port = ''] of before.matchAll(/ -p \d+:(\d+)/g))
      expect(image).toMatch(new RegExp(`EXPOSE .*\\b${port}\\b`));
    const [name, ...words] = after.trim().split(/ +/);
    if (name === undefined || name === '') continue;
    const module = Object.entries(program.modules).find(([each]) => each === name)?.[1] ?? `no ${name}`;
    const help = await start(
      [...words.filter((word) => word === 'init'), '--help'],
      [process.execPath, module],
    ).ended;
    for (const option of words.filter((word) => word.startsWith('--'))) expect(help.output).toContain(option);
  }
  expect(lines.filter((line) => line.includes('--pid container:watchword-manager'))).toHaveLength(1);
});

it('the nginx of the operating guide is that of deploy/nginx, for one server', () => {
  const bare = (text: string): readonly string[] =>
    text
      .replaceAll(/ +#.*$/gm, '')
      .replaceAll(/\S*\/?\w+\.(pem|key);/g, 'file.$1;')
      .replaceAll(/https:\/\/[\d.]+/g, 'https://address')
      .split('\n')
      .map((line) => line.trim().replaceAll(/ +/g, ' '))
      .filter((line) => line !== '');
  const [site = ''] = readBlocks('docs/guide/operating.md')
    .filter(({ language }) => language === 'nginx')
    .map(({ text }) => text);
  const [, , own = ''] = textOf('deploy/nginx/watchword.conf').split(/^(?=server \{$)/m);
  expect(bare(site)).toEqual(bare(own).filter((line) => !line.startsWith('server_name ')));
});
