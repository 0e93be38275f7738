/** What runs of all packages that are built alike, made in one process: starting a bundler takes longer than most of them. */
import { defineConfig } from 'tsup';
import { builtSo, packageBuild } from './package-build.mjs';

export default defineConfig(
  (process.env.BUILT_PACKAGES?.split(' ') ?? builtSo('packages')).map((name) => ({
    ...packageBuild(`packages/${name}`),
    dts: false,
    silent: true,
  })),
);
