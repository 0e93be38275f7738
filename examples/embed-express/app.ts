/** An Express app with user administration in it, on a directory in its own folder. */
import { createService } from '@watchword/core';
import { openEmbedded } from '@watchword/engines';
import { listener } from '@watchword/node/http';
import { createManagerHandler } from '@watchword/server-manager';
import express from 'express';

export async function createApp(folder: string) {
  const base = 'dc=shop,dc=example';
  const engines = await openEmbedded(folder, { base });
  const settings = { domains: { Staff: { base } }, super_admins: [`uid=owner,${base}`] };
  const service = createService(settings, engines);
  const app = express();
  app.get('/', (_request, response) => void response.send('The shop'));
  app.use('/users', listener(createManagerHandler(service)));
  return { app, service, directory: engines.directory.service };
}
