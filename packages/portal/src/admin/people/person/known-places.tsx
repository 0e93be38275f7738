/** The known sources of a user: failures at other sources do not lock the user out there. */
import { Day } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { usePersonRead } from './person.ts';
import { Reading } from './read-card.tsx';

export function KnownPlaces() {
  const t = useTexts(peopleTexts);
  const places = usePersonRead('User_Places', (manager, dn) => manager.User_Places({ dn }));
  return (
    <Reading query={places}>
      {(found) => (
        <div className="stack-tight">
          <h3>{t('places')}</h3>
          <Table
            label={t('places')}
            rows={found.map((row, index) => ({ ...row, key: String(index) }))}
            keyOf={({ key }) => key}
            empty={t('noPlaces')}
            columns={[
              { id: 'place', name: t('place'), cell: ({ place }) => place ?? t('placeUnnamed') },
              { id: 'last', name: t('placeLast'), cell: ({ last }) => <Day day={last} /> },
            ]}
          />
        </div>
      )}
    </Reading>
  );
}
