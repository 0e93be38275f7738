#!/usr/bin/env node
import { launch } from '@watchword/core/launch';

await launch('watchword-manager', async () => {
  const { processSurroundings, runServer } = await import('@watchword/core/start');
  const { managerCommand } = await import('./options.ts');
  return runServer(managerCommand, processSurroundings());
});
