/** Recent events of the user. */
import type { Manager } from '../../../api/manager.ts';
import { momentOf } from '../../../api/moment.ts';
import { Empty, Moment } from '../../../kit/show.tsx';
import { EventWords, useProgram } from '../../../shell/event-text.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { usePersonRead } from './person.ts';
import { ReadCard } from './read-card.tsx';

export type PersonEvent = Awaited<ReturnType<Manager['Search_Event_Logs']>>['events'][number];

/** Loads events of logins and of administrators, the newest first. */
export const usePersonEvents = () =>
  usePersonRead('Search_Event_Logs', async (manager, dn): Promise<readonly PersonEvent[]> => {
    const logs = await manager.batch((m) => [
      m.Search_Event_Logs({ application: 'Otp', dn, max: 30 }),
      m.Search_Event_Logs({ application: 'Manager', dn, max: 30 }),
    ]);
    return logs.flatMap(({ events }) => events).sort((a, b) => b.time.localeCompare(a.time));
  });

export function EventsCard() {
  const t = useTexts(peopleTexts);
  const events = usePersonEvents();
  return (
    <ReadCard title={t('events')} query={events}>
      {(all) =>
        all.length === 0 ? (
          <Empty>{t('noEvents')}</Empty>
        ) : (
          // Without a mouse, the arrows scroll it.
          <ul className="lines events" {...{ tabIndex: 0 }} aria-label={t('events')}>
            {all.map((event) => (
              <li key={`${event.time} ${event.session} ${event.text}`}>
                <EventLine event={event} />
              </li>
            ))}
          </ul>
        )
      }
    </ReadCard>
  );
}

function EventLine({ event }: { readonly event: PersonEvent }) {
  const { time, client, source, meaning } = event;
  const program = useProgram()(meaning);
  const from = [program, client, source].filter((word) => word !== undefined && word !== '' && word !== '-');
  return (
    <>
      <p className="soft small">
        <Moment at={momentOf(time)} />
        {from.length > 0 && ` · ${from.join(' · ')}`}
      </p>
      <EventWords event={event} hasRecord />
    </>
  );
}
