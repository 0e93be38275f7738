/** What may be done with one entry, asked of the server. */
import { type QueryKey, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type EntryRights, entryRightsOf } from '../api/rights.ts';
import { useSession } from './session.tsx';

interface AskedRights {
  readonly dn: string;
  /** That are perhaps to be written, and classes that are perhaps to be made. */
  readonly attributes?: readonly string[];
  readonly classes?: readonly string[];
  /** What is to write or to make them; left out: `Set_User_Attrs`. */
  readonly method?: 'Set_User_Attrs' | 'Create_LDAP_Object';
  /** Where it is kept: with what it is read anew with. */
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
