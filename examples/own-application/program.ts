/** A server of one's own: Watchword with the application of `parking.ts`, on an embedded directory. */
import { createService, readConfig, vocabularyOf } from '@watchword/core';
import { createLog } from '@watchword/core/adapters/system';
import { openEngines, serviceSettings } from '@watchword/core/start';
import { applications } from './parking.ts';

export async function openParking(folder: string) {
  const vocabulary = vocabularyOf(applications);
  const base = 'dc=example,dc=org';
  const config = readConfig(
    {
      data: folder,
      directory: { type: 'embedded', base },
      domains: { Default: { base } },
      super_admins: [`uid=admin,${base}`],
      names: { Parking: 'Garage' },
      roles: {
        porter: { members: [`uid=porter,${base}`], methods: ['Parking.*'], subtrees: [base], write: ['*'] },
      },
    },
    vocabulary,
  );
  const engines = await openEngines(config, createLog({ level: 'warn', format: 'text' }, process.stderr));
  return { service: createService(serviceSettings(config), engines, applications), engines, base };
}
