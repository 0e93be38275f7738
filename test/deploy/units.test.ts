/** The systemd units, by what systemd itself says of them, and by the programs and settings that they name. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = new URL('../../', import.meta.url);
const names = ['watchword-manager', 'watchword-ws'];
const text = (name: string) => readFile(new URL(`deploy/${name}.service`, root), 'utf8');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-units-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The unit with its program in our folder, where it is. */
async function placed(name: string): Promise<string> {
  const unit = (await text(name)).replace('ExecStart=/opt', `ExecStart=${folder}/opt`);
  const [, program = ''] = /^ExecStart=(\S+)/m.exec(unit) ?? [];
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
  await writeFile(join(folder, `${name}.service`), unit.replaceAll(/^Documentation=.*$/gm, ''));
  return join(folder, `${name}.service`);
}

/** What `systemd-analyze` says; it is part of Debian's package systemd. */
async function analyse(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run('systemd-analyze', args);
  // It reads all units of the machine: what those of Debian's packages have is not ours.
  const lines = (stdout + stderr).split('\n');
  return lines.filter((line) => !/^(?:\/usr)?\/lib\/systemd\/system\//.test(line)).join('\n');
}

describe.each(names)('%s.service', (name) => {
  it('is understood by systemd, without a warning', async () => {
    expect(await analyse('verify', await placed(name))).toBe('');
  });

  it('leaves little to whoever takes the server over', async () => {
    const said = await analyse('security', '--offline=yes', '--threshold=20', await placed(name));
    expect(said).toMatch(/Overall exposure level .* 1\.\d OK/);
  });

  it('starts the program that its package installs, with the configuration of the guide', async () => {
    const package_ = `packages/server-${name.replace('watchword-', '')}/package.json`;
    const { bin } = JSON.parse(await readFile(new URL(package_, root), 'utf8'));
    expect(Object.keys(bin)).toEqual([name]);
    expect(await text(name)).toContain(
      `\nExecStart=/opt/watchword/node_modules/.bin/${name} --config /etc/watchword/watchword.yaml\n`,
    );
  });

  it('sets for the memory what the image sets, and Node takes it', async () => {
    const [, environment = ''] = /^Environment=(.*)$/m.exec(await text(name)) ?? [];
    expect(environment).toBe('NODE_OPTIONS=--max-semi-space-size=8 MALLOC_ARENA_MAX=2');
    const image = await readFile(new URL('deploy/Containerfile', root), 'utf8');
    expect(image).toContain(`\nENV ${environment}\n`);
    const env = Object.fromEntries(environment.split(' ').map((one) => one.split(/=(.*)/).slice(0, 2)));
    expect(await run(process.execPath, ['-p', 'process.env.NODE_OPTIONS'], { env })).toEqual({
      ...{ stdout: '--max-semi-space-size=8\n', stderr: '' },
    });
  });

  it('allows the system calls that Node makes', async () => {
    // With memory protection keys V8 guards what it compiles; memory that is never both would stop it.
    expect(await text(name)).toMatch(/^SystemCallFilter=@system-service @pkey$/m);
    expect(await text(name)).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
  });
});

it('the two units differ in the name of the server only', async () => {
  const [manager = '', ws = ''] = await Promise.all(names.map(text));
  const renamed = manager
    .replaceAll('watchword-manager', 'watchword-ws')
    .replaceAll('server-manager', 'server-ws');
  expect(renamed.replaceAll('Watchword Manager', 'Watchword web services')).toBe(ws);
});
