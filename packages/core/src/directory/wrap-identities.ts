/** Directory layers that wrap the service's directory and the directory of every bound identity. */
import type { Directory, DirectoryServer } from '../ports/directory/directory.ts';

/** Wraps the service and each bound identity. @param layer gets `isService`, true for the service */
export function wrapIdentities(
  server: DirectoryServer,
  layer: (directory: Directory, isService: boolean) => Directory,
): DirectoryServer {
  return {
    service: layer(server.service, true),
    bind: async (dn, password, requester) => {
      const result = await server.bind(dn, password, requester);
      return result.granted ? { ...result, directory: layer(result.directory, false) } : result;
    },
    authenticate: (dn, password, judging) => server.authenticate(dn, password, judging),
    changePassword: (dn, passwords) => server.changePassword(dn, passwords),
    revision: (dn) => server.revision(dn),
    pages: (request) => server.pages(request),
    capabilities: (dn) => server.capabilities(dn),
    schema: (dn) => server.schema(dn),
    binaryAttributes: (dn) => server.binaryAttributes(dn),
    setWriters: (writers) => server.setWriters(writers),
    probe: () => server.probe(),
    connections: () => server.connections?.() ?? [],
    clearCaches: () => server.clearCaches(),
    close: () => server.close(),
  };
}
