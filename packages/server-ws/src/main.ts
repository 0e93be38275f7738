#!/usr/bin/env node
import { launch } from '@watchword/core/launch';

await launch('watchword-ws', async () => {
  const { processSurroundings, runServer } = await import('@watchword/core/start');
  const { webServiceCommand } = await import('./options.ts');
  return runServer(webServiceCommand, processSurroundings());
});
