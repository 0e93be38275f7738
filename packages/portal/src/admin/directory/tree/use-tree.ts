/** The tree of a sign-in as a hook, and its updates after changes. */
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../../../shell/session.tsx';
import type { ChildrenRequest } from './branch.ts';
import { DirectoryTree } from './directory-tree.ts';
import { readRoots } from './roots.ts';

const key = ['tree'];

export function useTree(): UseQueryResult<DirectoryTree> {
  const { manager, rights } = useSession();
  const list = (request: ChildrenRequest) => manager.List_LDAP_Children(request);
  return useQuery({
    queryKey: key,
    queryFn: async () => new DirectoryTree(list, await readRoots(manager), rights.mayRead),
    // Its containers are read again one by one, when they are opened or changed.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY },
  });
}

/** Has the tree look again at entries that were made, changed or removed. */
export function useTreeNews() {
  const queries = useQueryClient();
  return async <Result>(dns: readonly string[], change: Promise<Result>): Promise<Result> => {
    try {
      return await change;
    } finally {
      const tree = queries.getQueryData<DirectoryTree>(key);
      for (const dn of dns) void tree?.look(dn);
    }
  };
}
