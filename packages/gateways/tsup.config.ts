import { defineConfig } from 'tsup';
import { packageBuild } from '../../scripts/package-build.mjs';

export default defineConfig(packageBuild());
