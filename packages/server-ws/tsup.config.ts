import { defineConfig } from 'tsup';
import { serverBuild } from '../../scripts/server-bundle.mjs';

export default defineConfig(serverBuild());
