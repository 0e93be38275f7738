/**
 * Several directories as one (docs/concepts/dialects-and-names.md#several-directories): each holds the entries below its base. Other code
 * sees one directory.
 */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { Dn } from '../foundation/text/dn.ts';
import type { Directory, DirectoryServer } from '../ports/directory/directory.ts';

export interface Mount {
  /** The base, which overlaps no other: a search stays in one directory. */
  readonly base: Dn;
  readonly server: DirectoryServer;
}

/**
 * Mounts directories. A bound identity has its own rights in its directory, and those of the service in the others.
 * Roles and option sets apply in all.
 * @param home serves entries below no base, and the root DSE
 * @param others the further directories, with bases that do not overlap
 * @returns one directory; `home` itself where there are no others
 * @see docs/concepts/dialects-and-names.md#several-directories
 * @example
 * ```ts
 * import { Dn, mountDirectories } from '@watchword/core';
 * import { openEmbedded } from '@watchword/engines';
 *
 * const [one, two] = ['dc=example,dc=org', 'o=Partner'];
 * const [home, partner] = [await openEmbedded('./home', { base: one }), await openEmbedded('./partner', { base: two })];
 * const mounted = { base: Dn.parse(two), server: partner.directory };
 * const directory = mountDirectories({ base: Dn.parse(one), server: home.directory }, [mounted]);
 * console.log((await directory.service.read(Dn.parse(two)))?.dn); // o=Partner
 * await Promise.all([home.close(), partner.close()]);
 * ```
 */
export function mountDirectories(home: Mount, others: readonly Mount[]): DirectoryServer {
  if (others.length === 0) return home.server;
  const mounts = [home, ...others];
  const serverOf = (dn: Dn): DirectoryServer => (mounts.find(({ base }) => dn.isWithin(base)) ?? home).server;
  const servers = mounts.map(({ server }) => server);
  return {
    service: routed(home.server.service, (dn) => serverOf(dn).service),
    bind: async (dn, password, requester) => {
      const own = serverOf(dn);
      const result = await own.bind(dn, password, requester);
      if (!result.granted) return result;
      const { directory } = result;
      const find = (other: Dn) => (serverOf(other) === own ? directory : serverOf(other).service);
      return { ...result, directory: routed(directory, find) };
    },
    authenticate: (dn, password, judging) => serverOf(dn).authenticate(dn, password, judging),
    changePassword: (dn, passwords) => serverOf(dn).changePassword(dn, passwords),
    revision: (dn) => serverOf(dn).revision(dn),
    pages: (request) => serverOf(request.base).pages(request),
    capabilities: (dn) => serverOf(dn).capabilities(dn),
    schema: (dn) => serverOf(dn).schema(dn),
    binaryAttributes: (dn) => serverOf(dn).binaryAttributes(dn),
    setWriters: (writers) => {
      for (const server of servers) server.setWriters(writers);
    },
    probe: async () => {
      await Promise.all(servers.map((server) => server.probe()));
    },
    connections: () => servers.flatMap((server) => server.connections?.() ?? []),
    clearCaches: () => {
      for (const server of servers) server.clearCaches();
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/** Combines the connections of an identity. @param own its connection, which `close` releases */
function routed(own: Directory, find: (dn: Dn) => Directory): Directory {
  return {
    identity: own.identity,
    search: (request) => find(request.base).search(request),
    children: (request) => find(request.base).children(request),
    read: (dn, attributes) => find(dn).read(dn, attributes),
    add: (dn, attributes) => find(dn).add(dn, attributes),
    modify: (dn, changes) => find(dn).modify(dn, changes),
    rename: async (dn, to) => {
      // affectsMultipleDSAs (RFC 4511 §4.9).
      if (to.parent && find(to.parent) !== find(dn))
        throw new ServiceError('schema_refused', { detail: 'that is in another directory' });
      await find(dn).rename(dn, to);
    },
    remove: (dn) => find(dn).remove(dn),
    setPassword: (dn, password, options) => find(dn).setPassword(dn, password, options),
    assertWritable: (dn, attribute) => find(dn).assertWritable(dn, attribute),
    close: () => own.close(),
  };
}
