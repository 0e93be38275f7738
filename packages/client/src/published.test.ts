/** Client as it is published: packed as `npm publish` does (scripts/packed.mjs), and used without the repository. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentationOf } from './testing/documentation.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Folder as a package manager has unpacked it. */
const packed = join(
  ...[root, '../../node_modules/.watchword/packed', `npm-${process.version}`],
  'node_modules/@watchword/client',
);

/** A folder far from the workspace, with the package in its node_modules. */
let project: string;
let installed: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'watchword-published-'));
  installed = join(project, 'node_modules/@watchword/client');
  await mkdir(installed, { recursive: true });
  await cp(packed, installed, { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rm(project, { recursive: true }));

/** Every module that the files of a kind import. */
async function imports(ending: string): Promise<string[]> {
  const files = (await readdir(join(installed, 'dist'))).filter((name) => name.endsWith(ending));
  const texts = await Promise.all(files.map((name) => readFile(join(installed, 'dist', name), 'utf8')));
  // Examples in docstrings import the package itself.
  const code = texts.join('\n').replace(/\/\*\*.*?\*\//gs, '');
  const found = code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...new Set(Array.from(found, ([, name]) => name ?? ''))].filter((name) => !name.startsWith('.'));
}

/** Compiles a program against the package and nothing else: no types of Node, no core, no zod. */
async function compile(program: string): Promise<string> {
  const file = join(project, 'program.ts');
  await writeFile(file, program);
  const strict = ['--strict', '--noEmit', '--exactOptionalPropertyTypes'];
  const target = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom,dom.iterable'];
  const tsc = join(root, 'node_modules/.bin/tsc');
  return run(tsc, [...strict, ...target, file], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

describe('the published package', () => {
  it('imports undici in its Node part, and nothing else', async () => {
    expect(await imports('.js')).toEqual(['undici']);
    expect(await imports('.d.ts')).toEqual([]);
  });

  it('has types of the Manager that stand on their own', async () => {
    const program = `
      import { createManager, CallError, type Manager, type Success } from '@watchword/client';
      import { nodeTransport } from '@watchword/client/node';
      const { fetch } = nodeTransport({ ca: 'PEM' });
      const url = 'https://localhost/manag/';
      const manager: Manager = createManager({ url, username: 'a', password: 'b', fetch });
      const dn: string = await manager.Get_User_DN({ username: 'alice', domain: 'Default' });
      const done: Success | false = await manager.Remove_LDAP_Object({ dn });
      const [count, there] = await manager.batch((m) => [m.Count_Activated_Users(), m.Check_LDAP_Object({ dn })]);
      const types: [number | false, boolean] = [count, there];
      const isMissing = (error: unknown) => error instanceof CallError && error.reason === 'not_found';
    `;
    expect(await compile(program)).toBe('');
  });

  it('has types of the web services that stand on their own', async () => {
    const program = `
      import { createWebServices, type LoginResponse, type WebServices } from '@watchword/client';
      const web: WebServices = createWebServices({ url: 'https://localhost:8443/', names: { otp: 'exampleotp' } });
      const asked: LoginResponse = await web.otp.normalLogin({ username: 'alice', ldapPassword: 'x' });
      const session: string | undefined = asked.code === 2 ? asked.session : undefined;
      const same: string | undefined = asked.outcome === 'challenge' ? asked.session : undefined;
      const voiceSample = new Uint8Array(1);
      const answer = await web.otp.challenge({ username: 'alice', otpPassword: '1', voiceSample }, { timeout: 9 });
      const concat: number = answer.code === 1 ? answer.concat : 0;
      const { status, message }: { status?: boolean | undefined; message?: string | undefined } = await web.otp.status();
    `;
    expect(await compile(program)).toBe('');
  });

  it('has the documentation of methods and operations in its types', () => {
    const documentation = documentationOf(
      ['manager.Otp.HOTP_Register', 'manager.Create_LDAP_Object', 'web.otp.normalLogin'],
      {
        options: { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true },
        file: join(project, 'shown.ts'),
        program: `import type { Manager, WebServices } from '@watchword/client';
          declare const [manager, web]: [Manager, WebServices];`,
      },
    );
    expect(documentation).toEqual([
      'Registers a HOTP token (RFC 4226); with a mobile session, once its QR code was scanned.',
      'Creates a directory object.',
      'Logs a user in with a password and a one-time password, each in its own field.',
    ]);
  });

  it('has types that refuse what is wrong', async () => {
    const program = `
      import type { LoginResponse, Manager, WebServices } from '@watchword/client';
      declare const [manager, web, answer]: [Manager, WebServices, LoginResponse];
      manager.Nonsense();
      manager.Otp.Nonsense();
      manager.Get_User_DN({ username: 'alice' });
      manager.batch((m) => [m.Check_LDAP_Object({ dn: 1 })]);
      web.otp.normallogin({});
      web.nonsense.status();
      web.otp.simpleLogin({ username: 'alice', ldapPassword: 'x' });
      web.otp.normalLogin({ otpPassword: 12345 });
      answer.session;
      manager.Set_User_Settings({ dn: 'uid=alice', settings: { 'Otp.Loginmode': 'LDAP' } });
      manager.Set_User_Settings({ dn: 'uid=alice', settings: { 'Otp.LoginMode': 'PASSWORD' } });
      web.otp.normalLogin({ otp: '012345' });
    `;
    const lines = (await compile(program)).matchAll(/program\.ts\((\d+),/g);
    expect(Array.from(lines, ([, line]) => Number(line))).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  });
});
