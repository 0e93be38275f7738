/** The small parts of the core by their own names: what a program that imports one of them carries along. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, openInstallation } from './installation.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

/** Bundles a program with all that it imports but Node's own, and tells its size. */
async function bundled(name: string, program: string): Promise<{ file: string; kilobytes: number }> {
  await installation.write(`${name}.mjs`, program);
  const outDir = join(installation.folder, `bundle-${name}`);
  await build({
    entry: { program: join(installation.folder, `${name}.mjs`) },
    outDir,
    format: 'esm',
    platform: 'node',
    noExternal: [/.*/],
    minify: true,
    silent: true,
    config: false,
    outExtension: () => ({ js: '.mjs' }),
  });
  const bytes = await readFile(join(outDir, 'program.mjs'));
  return { file: `bundle-${name}/program.mjs`, kilobytes: gzipSync(bytes).length / 1000 };
}

/** Tells of each module that is imported where it is; those that are required are in a list of Node's. */
const hooks = `
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    writeSync(1, url + '\\n');
    return next(url, context);
  }`;

/** The packages that a program has loaded when it ends. */
async function loadedBy(program: string): Promise<readonly string[]> {
  await installation.write('hooks.mjs', hooks);
  await installation.write(
    'loading.mjs',
    `import { Module, register } from 'node:module';
     register('./hooks.mjs', import.meta.url);
     ${program}
     for (const file of Object.keys(Module._cache)) console.log(file);`,
  );
  const { code, output, errors } = await installation.run('node', 'loading.mjs');
  if (code !== 0) throw new Error(errors);
  const packages = output.matchAll(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//g);
  return [...new Set(Array.from(packages, ([, name]) => name ?? ''))].toSorted();
}

describe('a program with', () => {
  it('@watchword/core/otp is under 10 kB, and knows the codes of RFC 6238', async () => {
    const { file, kilobytes } = await bundled(
      'otp',
      `import { createSecretKey } from 'node:crypto';
       import { totp } from '@watchword/core/otp';
       const secret = createSecretKey(Buffer.from('12345678901234567890'));
       for (const seconds of [59, 1111111109, 20000000000]) {
         console.log(totp({ secret, digits: 8, period: 30 }, seconds * 1000));
       }`,
    );
    expect(kilobytes).toBeLessThan(10);
    expect((await installation.run('node', file)).output).toBe('94287082\n07081804\n65353130\n');
  });

  it('@watchword/core/dn is under 10 kB, and compares names as RFC 4517 does', async () => {
    const { file, kilobytes } = await bundled(
      'dn',
      `import { Dn } from '@watchword/core/dn';
       const dn = Dn.parse('UID=Alice, dc=example,DC=org');
       console.log(dn.equals(Dn.parse('uid=alice,dc=example,dc=org')), dn.isWithin(Dn.parse('dc=example,dc=org')));`,
    );
    expect(kilobytes).toBeLessThan(10);
    expect((await installation.run('node', file)).output).toBe('true true\n');
  });
});

describe('@watchword/core loads', () => {
  const service = `
    const { readServiceConfig } = await import('@watchword/core');
    const config = { domains: { Default: { base: 'dc=example,dc=org' } } };`;

  it('no package but itself when it is imported', async () => {
    expect(await loadedBy(service)).toEqual(['@watchword/core']);
  });

  it('zod when a configuration is read', async () => {
    expect(await loadedBy(`${service} readServiceConfig(config);`)).toEqual(['@watchword/core', 'zod']);
  });

  it('what draws when a code is drawn', async () => {
    const draws =
      "console.log((await import('@watchword/core')).qrText('otpauth://totp/alice').split('\\n').length);";
    expect(await loadedBy(draws)).toEqual(['@watchword/core', 'qrcode-svg']);
  });
});
