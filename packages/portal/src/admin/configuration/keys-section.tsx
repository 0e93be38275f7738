/** The API keys of calling systems: the services of each, and its path in the configuration. The keys themselves are stored nowhere. */
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../kit/show.tsx';
import { Table } from '../../kit/table.tsx';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';

export function KeysSection() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const keys = useQuery({ queryKey: ['List_API_Keys'], queryFn: () => manager.List_API_Keys({}) });
  return (
    <Read query={keys}>
      {(found) => (
        <>
          <Notice>{t('ownedByConfiguration', { at: 'api_keys' })}</Notice>
          <Table
            label={t('apiKeyList')}
            rows={found}
            keyOf={({ id }) => id}
            empty={t('noApiKeys')}
            columns={[
              { id: 'id', name: t('apiKey'), cell: ({ id }) => id },
              {
                id: 'services',
                name: t('keyOpens'),
                cell: ({ services }) => services?.join(', ') ?? t('keyOpensAll'),
              },
              {
                id: 'clients',
                name: t('keyGoodFrom'),
                cell: ({ clients }) => clients.join(', ') || t('everywhere'),
              },
              {
                id: 'client',
                name: t('keyClient'),
                cell: ({ client }) => client ?? t('keyAnyClient'),
              },
              { id: 'at', name: t('standsAt'), cell: ({ at }) => <code>{at}</code> },
            ]}
          />
        </>
      )}
    </Read>
  );
}
