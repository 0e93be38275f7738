/** Writes the changes of an entry, and makes their undo. */
import type { Manager } from '../../api/manager.ts';
import type { Changes } from './attributes.ts';

/** @throws CallError; what is set is set before anything is removed */
export async function changeEntry(manager: Manager, dn: string, { set, removed }: Changes): Promise<void> {
  if (Object.keys(set).length > 0) await manager.Set_User_Attrs({ dn, attrs: set });
  if (removed.length > 0) await manager.Remove_User_Attrs({ dn, attrs: removed });
}
