import { defineConfig } from 'tsup';
import { writeCoreTypes } from './build/write-core-types.ts';

export default defineConfig(({ dts }) => ({
  entry: ['src/index.ts', 'src/node.ts'],
  format: 'esm' as const,
  target: 'es2022',
  // `--no-dts` builds what runs, and asks nobody for types.
  dts: dts !== false && {
    compilerOptions: { paths: { '@watchword/core': [writeCoreTypes(process.cwd())] } },
  },
  clean: true,
}));
