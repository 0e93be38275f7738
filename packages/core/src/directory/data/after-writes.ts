/** A layer that runs a callback after writes, to clear caches. */
import { attributeType } from '../../foundation/text/value.ts';
import type { Directory, DirectoryServer } from '../../ports/directory/directory.ts';
import { wrapIdentities } from '../wrap-identities.ts';

interface Seen {
  /** The attribute of user data. Changes of it alone, which logins make, run no callback. */
  readonly dataAttribute: string;
  /** Called after each write that can change a cached answer, also a failed one, which may have happened. */
  readonly forget: () => void;
}

/** Wraps a directory so that its writes, except of passwords, and `Clear_Caches` clear a cache. */
export function afterWrites(server: DirectoryServer, { dataAttribute, forget }: Seen): DirectoryServer {
  const data = attributeType(dataAttribute);
  const seen = wrapIdentities(server, (directory) => around(directory, { dataAttribute: data, forget }));
  const clearCaches = () => {
    forget();
    server.clearCaches();
  };
  return { ...seen, clearCaches };
}

function around(directory: Directory, { dataAttribute, forget }: Seen): Directory {
  const after = (writing: Promise<void>) => writing.finally(forget);
  return {
    identity: directory.identity,
    search: (request) => directory.search(request),
    children: (request) => directory.children(request),
    read: (dn, attributes) => directory.read(dn, attributes),
    add: (dn, attributes) => after(directory.add(dn, attributes)),
    modify: (dn, changes) => {
      const writing = directory.modify(dn, changes);
      const isData = changes.every(({ attribute }) => attributeType(attribute) === dataAttribute);
      return isData ? writing : after(writing);
    },
    rename: (dn, to) => after(directory.rename(dn, to)),
    remove: (dn) => after(directory.remove(dn)),
    setPassword: (dn, password, options) => directory.setPassword(dn, password, options),
    assertWritable: (dn, attribute) => directory.assertWritable(dn, attribute),
    close: () => directory.close(),
  };
}
