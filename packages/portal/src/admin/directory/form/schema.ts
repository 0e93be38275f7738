/** Classes and attributes of entries, by the schema of their directory. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Manager } from '../../../api/manager.ts';
import { useSession } from '../../../shell/session.tsx';

export type DirectorySchema = Awaited<ReturnType<Manager['Get_Directory_Schema']>>;
export type AttributeFacts = DirectorySchema['attributes'][number];
export type ClassFacts = DirectorySchema['classes'][number];

export function useSchema(dn: string, isAsked = true): UseQueryResult<DirectorySchema> {
  const { manager } = useSession();
  return useQuery({
    queryKey: ['Get_Directory_Schema', dn],
    queryFn: () => manager.Get_Directory_Schema({ dn }),
    enabled: isAsked,
    staleTime: 600_000,
  });
}

const lower = (name: string): string => name.toLowerCase();

const classesOf = (schema: DirectorySchema, names: readonly string[]): readonly ClassFacts[] => {
  const wanted = new Set(names.map(lower));
  return schema.classes.filter(({ name }) => wanted.has(lower(name)));
};

const once = (names: readonly string[]): readonly string[] => [
  ...new Map(names.map((name) => [lower(name), name])).values(),
];

/** Returns the required attributes of these classes, without the classes themselves. */
export const mustOf = (schema: DirectorySchema, classes: readonly string[]): readonly string[] =>
  once(classesOf(schema, classes).flatMap(({ must }) => must)).filter(
    (name) => lower(name) !== 'objectclass',
  );

export function mayOf(schema: DirectorySchema, classes: readonly string[]): readonly string[] {
  const must = new Set(mustOf(schema, classes).map(lower));
  const may = once(classesOf(schema, classes).flatMap((one) => one.may));
  return may
    .filter((name) => !must.has(lower(name)) && factsOf(schema, name)?.readonly !== true)
    .sort((one, other) => one.localeCompare(other));
}

/** Finds an attribute by any of its names, without options (`;lang-de`). */
export function factsOf(schema: DirectorySchema, attribute: string): AttributeFacts | undefined {
  const name = lower(attribute.split(';', 1)[0] ?? '');
  return schema.attributes.find((one) => [one.name, ...one.aliases].some((own) => lower(own) === name));
}
