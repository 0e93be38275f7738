/** Rights about certificates of an owner: for a person they depend on the entry. */
import { useEntryRights } from '../../../shell/entry-rights.ts';
import { useSession } from '../../../shell/session.tsx';
import type { CertificateOwner } from './owner.ts';

export function useOwnerRights(
  owner: CertificateOwner | undefined,
): (...methods: readonly string[]) => boolean {
  const { check } = useSession();
  const isPerson = owner?.kind === 'user';
  const entry = useEntryRights({ dn: owner?.name ?? '', isAsked: isPerson }).data;
  return (...methods) => methods.every((method) => (isPerson ? entry?.may(method) === true : check.isSuper));
}
