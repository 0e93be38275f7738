/** Rights at one entry, as the server reports them. */
import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type EntryRights, entryRightsOf } from '../api/rights.ts';
import { useSession } from './session.tsx';

interface AskedRights {
  readonly dn: string;
  /** Attributes to write and classes to create, perhaps. */
  readonly attributes?: readonly string[];
  readonly classes?: readonly string[];
  /** The method that writes or creates them. Optional; default: `Set_User_Attrs`. */
  readonly method?: 'Set_User_Attrs' | 'Create_LDAP_Object';
  /** The query key, under the prefix that invalidates it. */
  readonly key?: QueryKey;
  /** Left out: true. */
  readonly isAsked?: boolean;
}

export function useEntryRights({
  key = [],
  isAsked = true,
  dn,
  ...asked
}: AskedRights): UseQueryResult<EntryRights> {
  const { manager } = useSession();
  const { attributes = [], classes = [], method } = asked;
  return useQuery({
    queryKey: [...key, 'What_May_I', dn, asked],
    enabled: isAsked,
    queryFn: async () =>
      entryRightsOf(
        await manager.What_May_I({
          dn,
          ...{ attributes: [...attributes], classes: [...classes] },
          ...(method && { method }),
        }),
      ),
  });
}
