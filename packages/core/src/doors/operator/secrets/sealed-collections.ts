/** The list of all places in which an installation stores sealed values, for key rotation. */

import { versionFamily } from '../../../administration/configuration/versions.ts';
import { mirrorFamily } from '../../../administration/directory-sync/record.ts';
import { inventoryFamily } from '../../../administration/inventory/item.ts';
import { sealedEntries } from '../../../administration/key-rotation/entries.ts';
import { sealedRecords } from '../../../administration/key-rotation/records.ts';
import { sealedValues } from '../../../administration/key-rotation/stored-values.ts';
import { lastCodeFamily } from '../../../authenticators/last-code.ts';
import type { ServerConfig } from '../../../config/config.ts';
import { outboxFamily } from '../../../messaging/stored-message.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { SealedCollection } from '../../../ports/store/sealed-collection.ts';
import { Names } from '../../../table/dialect.ts';
import { retryFamily } from '../../web/idempotency-cache.ts';
import { directoriesOf } from '../checks/directories.ts';
import { secretFamily } from './digest-secret.ts';

type SecretsView = Pick<Ports, 'directory' | 'entryRecords' | 'keys'> & {
  readonly config: ServerConfig;
};
type SealedView = SecretsView &
  Pick<Ports, 'store'> & {
    /** Places where engines have sealed values of their own. */
    readonly ofEngines: readonly SealedCollection[];
  };

/** Returns the places of users' secrets. */
export function secretCollections({
  config,
  entryRecords,
  ...ports
}: SecretsView): readonly SealedCollection[] {
  const bases = directoriesOf(config).map(({ base }) => base);
  const view = { ...ports, names: new Names(config.names), attribute: config.schema.data_attribute };
  return [
    sealedRecords({ ...view, records: entryRecords, bases }),
    ...bases.map((base) => sealedEntries(base, view)),
  ];
}

/** Returns all sealed places. A test reads the sources: code that seals is named here, or in what is read here. */
export function sealedCollections(
  view: SealedView,
  applications: Readonly<Record<string, { readonly sealedFamilies?: readonly string[] }>>,
): readonly SealedCollection[] {
  const families = Object.values(applications).flatMap(({ sealedFamilies = [] }) => sealedFamilies);
  return [
    ...view.ofEngines,
    ...[
      secretFamily,
      retryFamily,
      lastCodeFamily,
      outboxFamily,
      inventoryFamily,
      mirrorFamily,
      versionFamily,
      ...families,
    ].map((family) => sealedValues(family, view)),
    ...secretCollections(view),
  ];
}
