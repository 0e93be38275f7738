#!/usr/bin/env node
import { launch } from '@watchword/cli/launch';

await launch('watchword', async () => {
  const { processSurroundings } = await import('@watchword/cli');
  const { runQuickStart } = await import('./program.ts');
  return runQuickStart(processSurroundings());
});
