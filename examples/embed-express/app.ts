/** An Express app with user administration in it, on a directory in its own folder. */
import { createService, readConfig } from '@watchword/core';
import { listener } from '@watchword/core/adapters/http';
import { createLog } from '@watchword/core/adapters/system';
import { openEngines, serviceSettings } from '@watchword/core/start';
import { createManagerHandler } from '@watchword/server-manager';
import express from 'express';

export async function createApp(folder: string) {
  const config = readConfig({
    data: folder,
    directory: { type: 'embedded', base: 'dc=shop,dc=example' },
    domains: { Staff: { base: 'dc=shop,dc=example' } },
    super_admins: ['uid=owner,dc=shop,dc=example'],
  });
  const engines = await openEngines(config, createLog({ level: 'warn', format: 'text' }, process.stderr));
  const service = createService(serviceSettings(config), engines);
  const app = express();
  app.get('/', (_request, response) => void response.send('The shop'));
  app.use('/users', listener(createManagerHandler(service)));
  return { app, service, directory: engines.directory.service };
}
