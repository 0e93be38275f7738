/** Get_Config_Objects: what the configuration names, with the settings of each. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSession } from '../../shell/session.tsx';

export type ConfigType = 'domains' | 'clients' | 'websrvs' | 'optionsets';

export interface ConfigObject {
  readonly name: string;
  readonly settings: readonly (readonly [name: string, value: string])[];
}

export function useConfigObjects(type: ConfigType): UseQueryResult<readonly ConfigObject[]> {
  const { manager } = useSession();
  return useQuery({
    queryKey: ['Get_Config_Objects', type],
    queryFn: async () => objectsOf(await manager.Get_Config_Objects({ type, settings: true })),
  });
}

const objectsOf = (
  answer: readonly string[] | Readonly<Record<string, Readonly<Record<string, string>>>>,
): readonly ConfigObject[] =>
  Object.entries(answer).map(([name, settings]) => ({ name, settings: Object.entries(settings) }));
