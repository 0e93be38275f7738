import { defineConfig } from 'tsup';
import { writeCoreTypes } from './build/write-core-types.ts';

export default defineConfig(() => ({
  entry: ['src/index.ts', 'src/node.ts'],
  format: 'esm' as const,
  target: 'es2022',
  dts: { compilerOptions: { paths: { '@watchword/core': [writeCoreTypes(process.cwd())] } } },
  sourcemap: true,
  clean: true,
}));
