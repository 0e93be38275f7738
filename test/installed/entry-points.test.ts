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
