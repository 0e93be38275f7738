/**
 * Metadata mode (docs/concepts/dialects-and-names.md#schema-extension): a layer that keeps settings and data in records, for a directory
 * without attributes for them. Other code sees the attributes on the entries. A directory with the attributes is passed through.
 */

import type { Schema } from '../config/config.ts';
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import type { Directory, DirectoryServer, Entry } from '../ports/directory/directory.ts';
import type { EntryRecords } from '../ports/store/entry-records.ts';
import { KeptAttributes } from './entry/kept-attributes.ts';
import { wrapIdentities } from './wrap-identities.ts';

/** Wraps a directory. @param records unused where the directory has the attributes */
export function withMetadata(
  server: DirectoryServer,
  records: EntryRecords,
  schema: Schema,
): DirectoryServer {
  const kept = new KeptAttributes(server, records, [schema.settings_attribute, schema.data_attribute]);
  return wrapIdentities(server, (directory, isService) =>
    around(directory, kept, async (entry, attribute) => {
      // The service needs no right in the directory for records.
      if (!isService) await directory.assertWritable(entry, attribute);
    }),
  );
}

/** The directory of one identity, with the records of entries that it may read. */
function around(directory: Directory, kept: KeptAttributes, judge: Directory['assertWritable']): Directory {
  return {
    identity: directory.identity,
    search: async (request) => {
      const plan = await kept.plan(request.attributes, request.base);
      if (!plan) return directory.search(request);
      return kept.complete(await directory.search({ ...request, attributes: plan.asked }), plan);
    },
    children: async (request) => {
      const plan = await kept.plan(request.attributes, request.base);
      if (!plan) return directory.children(request);
      const page = await directory.children({ ...request, attributes: plan.asked });
      return { ...page, entries: await kept.complete(page.entries, plan) };
    },
    read: async (dn, attributes) => {
      const plan = await kept.plan(attributes, dn);
      if (!plan) return directory.read(dn, attributes);
      const entry = await directory.read(dn, plan.asked);
      return entry && (await kept.complete([entry], plan))[0];
    },
    modify: async (dn, changes) => {
      if (
        !(await kept.concerns(
          changes.map(({ attribute }) => attribute),
          dn,
        ))
      )
        return directory.modify(dn, changes);
      if (changes.some(({ attribute }) => !kept.has(attribute))) {
        throw new ServiceError('schema_refused', {
          detail:
            'settings and data are kept apart from the other attributes here: change them in a call of their own',
        });
      }
      const entry = await existing(directory, dn, kept);
      for (const { attribute } of changes) await judge(dn, attribute);
      await kept.change(entry, changes);
    },
    remove: async (dn) => {
      const entry = await existing(directory, dn, kept);
      await directory.remove(dn);
      // A directory with the attributes has records of deactivated entries.
      await kept.forget(entry);
    },
    add: (dn, attributes) => directory.add(dn, attributes),
    rename: (dn, to) => directory.rename(dn, to),
    setPassword: (dn, password, options) => directory.setPassword(dn, password, options),
    assertWritable: (dn, attribute) => directory.assertWritable(dn, attribute),
    close: () => directory.close(),
  };
}

/** Reads an entry with its identifier. */
async function existing(directory: Directory, dn: Dn, kept: KeptAttributes): Promise<Entry> {
  const entry = await directory.read(dn, [await kept.identifier(dn)]);
  if (!entry) throw new ServiceError('not_found');
  return entry;
}
