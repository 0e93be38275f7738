/** A directory that refuses the service every change, as one does whose access rules give it read rights only. */

import { ServiceError } from '../foundation/errors/errors.ts';
import type { DirectoryServer } from '../ports/directory/directory.ts';

export function readOnlyService(server: DirectoryServer): DirectoryServer {
  const modify = () => Promise.reject(new ServiceError('permission_denied'));
  return instead(server, { service: instead(server.service, { modify }) });
}

/** The same, but for what is put in the place of some of it. */
function instead<T extends object>(whole: T, parts: Partial<T>): T {
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in parts ? parts : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
