/** A server of one's own: Watchword with the application of `parking.ts`, on an embedded directory. */
import { createService } from '@watchword/core';
import { openEmbedded } from '@watchword/engines';
import { applications } from './parking.ts';

export async function openParking(folder: string) {
  const base = 'dc=example,dc=org';
  const settings = {
    domains: { Default: { base } },
    super_admins: [`uid=admin,${base}`],
    names: { Parking: 'Garage' },
    roles: {
      porter: { members: [`uid=porter,${base}`], methods: ['Parking.*'], subtrees: [base], write: ['*'] },
    },
  };
  const engines = await openEmbedded(folder, { base, settings, applications });
  return { service: createService(settings, engines, applications), engines, base };
}
