#!/usr/bin/env node
import { launch } from '@watchword/cli/launch';

await launch('watchword-manager', async () => {
  const { installationCommands, processSurroundings, runServer } = await import('@watchword/cli');
  const { managerCommand } = await import('./options.ts');
  return runServer({ ...managerCommand, commands: installationCommands }, processSurroundings());
});
