#!/usr/bin/env node
import { launch } from '@watchword/core/launch';

await launch('watchword', async () => {
  const { processSurroundings } = await import('@watchword/core/start');
  const { runQuickStart } = await import('./program.ts');
  return runQuickStart(processSurroundings());
});
