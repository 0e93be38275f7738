import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/node.ts'],
  format: 'esm',
  target: 'es2022',
  dts: { resolve: ['@watchword/core'] },
  sourcemap: true,
  clean: true,
});
