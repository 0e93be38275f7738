import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/main.ts', 'src/shell.ts'],
  format: 'esm',
  target: 'node20',
  dts: true,
  clean: true,
});
