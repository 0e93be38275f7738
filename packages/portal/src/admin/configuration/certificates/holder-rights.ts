/** Rights about certificates of a holder: for a person they depend on the entry. */
import { useEntryRights } from '../../../shell/entry-rights.ts';
import { useSession } from '../../../shell/session.tsx';
import type { Holder } from './holder.ts';

export function useHolderRights(holder: Holder | undefined): (...methods: readonly string[]) => boolean {
  const { rights } = useSession();
  const isPerson = holder?.kind === 'user';
  const entry = useEntryRights({ dn: holder?.name ?? '', isAsked: isPerson }).data;
  return (...methods) => methods.every((method) => (isPerson ? entry?.may(method) === true : rights.isSuper));
}
