import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { defineConfig } from 'tsup';

const entry = {
  index: 'src/index.ts',
  application: 'src/application.ts',
  dn: 'src/foundation/text/dn.ts',
  otp: 'src/foundation/oath/index.ts',
  'start/open': 'src/start/open.ts',
  describe: 'src/doors/describe/reference.ts',
  'adapters/ldap/index': 'src/adapters/ldap/index.ts',
  'adapters/embedded/index': 'src/adapters/embedded/index.ts',
  'adapters/pki/index': 'src/adapters/pki/index.ts',
  'adapters/postgres/index': 'src/adapters/postgres/index.ts',
  'adapters/prometheus/index': 'src/adapters/prometheus/index.ts',
  'adapters/openid/index': 'src/adapters/openid/index.ts',
  'adapters/smtp/index': 'src/adapters/smtp/index.ts',
  'adapters/smpp/index': 'src/adapters/smpp/index.ts',
  'adapters/gateway/index': 'src/adapters/gateway/index.ts',
  'adapters/gateway/web-push': 'src/adapters/gateway/web-push.ts',
  'adapters/system/index': 'src/adapters/system/index.ts',
  'adapters/http/index': 'src/adapters/http/index.ts',
  'start/index': 'src/start/index.ts',
  'start/launch': 'src/start/launch.ts',
  'testing/index': 'src/testing/index.ts',
};

/** Programs that ours start: nobody imports them. */
const programs = {
  'pdf-program': 'src/adapters/pki/pdf/pdf-program.ts',
  'large-changes-program': 'src/adapters/embedded/large-changes/large-changes-program.ts',
};

/**
 * Writes the declarations of all sources, which the bundler then reads: a bundler that reads the sources takes 3 GB, this takes 0.8.
 *
 * @returns the entries among them
 */
function writeDeclarations(): Readonly<Record<string, string>> {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, ['--max-old-space-size=900', tsc, '-p', 'tsconfig.declarations.json'], {
    stdio: 'inherit',
  });
  return Object.fromEntries(
    Object.entries(entry).map(([name, path]) => [
      name,
      path.replace('src/', '.cache/declarations/').replace(/\.ts$/, '.d.ts'),
    ]),
  );
}

export default defineConfig(({ dts }) => ({
  entry: { ...entry, ...programs },
  format: 'esm' as const,
  target: 'node20',
  // `--no-dts` builds what runs.
  dts: dts !== false && { entry: writeDeclarations() },
  clean: true,
}));
