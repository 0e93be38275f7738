/** The user of a page: queries of the data, and the permitted actions. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Manager } from '../../../api/manager.ts';
import { type EntryRights, noEntryRights } from '../../../api/rights.ts';
import { useSession } from '../../../shell/session.tsx';

export interface Person {
  readonly dn: string;
  readonly name: string;
  /** The administrator's rights at the user. */
  readonly rights: EntryRights;
}

export const PersonContext = createContext<Person>({ dn: '', name: '', rights: noEntryRights });

export const usePerson = (): Person => useContext(PersonContext);

/** Returns the prefix of all query keys of a user. */
export const personKey = (dn: string): readonly string[] => ['person', dn];

/** True if the server would let the administrator call all of these methods about this person. */
export function useMay(): (...methods: readonly string[]) => boolean {
  const { rights } = usePerson();
  return (...methods) => methods.every(rights.may);
}

/** Reads something of the person, if that is allowed. @param method by its wire name */
export function usePersonRead<Result>(
  method: string,
  read: (manager: Manager, dn: string) => Promise<Result>,
): UseQueryResult<Result> {
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  return useQuery({
    queryKey: [...personKey(dn), method],
    queryFn: () => read(manager, dn),
    enabled: may(method),
  });
}

/** The name that people call somebody by. @param attributes in lower case */
export function nameOf(attributes: Readonly<Record<string, readonly string[]>>, dn: string): string {
  const named = Object.fromEntries(
    Object.entries(attributes).map(([name, values]) => [name.toLowerCase(), values]),
  );
  return named.displayname?.[0] ?? named.cn?.[0] ?? named.uid?.[0] ?? rdnValue(dn);
}

/** `alice` of `uid=alice,ou=people`, for eyes only. */
export function rdnValue(dn: string): string {
  const [, value = dn] = /^[^=]+=((?:\\.|[^,\\+])*)/.exec(dn) ?? [];
  return value.replace(/\\([0-9a-fA-F]{2})/g, '·').replace(/\\(.)/g, '$1');
}
