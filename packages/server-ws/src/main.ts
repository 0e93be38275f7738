#!/usr/bin/env node
import { launch } from '@watchword/cli/launch';

await launch('watchword-ws', async () => {
  const { processSurroundings, runServer } = await import('@watchword/cli');
  const { webServiceCommand } = await import('./options.ts');
  return runServer(webServiceCommand, processSurroundings());
});
