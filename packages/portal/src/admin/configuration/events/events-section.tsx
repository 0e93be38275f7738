/** The event log: narrowed by what is known, page by page, and taken along as a file. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { momentOf } from '../../../api/moment.ts';
import { Button } from '../../../kit/button.tsx';
import { download } from '../../../kit/download.ts';
import { Field, Select } from '../../../kit/field.tsx';
import { Menu } from '../../../kit/menu.tsx';
import { Badge, Card, Empty, Moment, Skeleton } from '../../../kit/show.tsx';
import { type Column, Table } from '../../../kit/table.tsx';
import { useAction } from '../../../shell/action.ts';
import { type EventWithMeaning, EventWords } from '../../../shell/event-text.tsx';
import { Failure } from '../../../shell/failure.tsx';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { useConfigObjects } from '../config-objects.ts';
import { SearchForm } from '../search-form.tsx';
import { type EventFilter, noFilter, searchOf } from './event-filter.ts';

export function EventsSection() {
  const t = useTexts(configurationTexts);
  const [filter, setFilter] = useState(noFilter);
  // What happened to all is for super administrators; to others, of whom they reach.
  const isAsked = useSession().check.isSuper || filter.dn.trim() !== '';
  return (
    <Card title={t('events')} actions={isAsked && <ExportMenu filter={filter} />}>
      <FilterForm onSearch={setFilter} />
      {isAsked ? <Events filter={filter} /> : <Empty>{t('eventsOfOne')}</Empty>}
    </Card>
  );
}

function FilterForm({ onSearch }: { readonly onSearch: (filter: EventFilter) => void }) {
  const t = useTexts(configurationTexts);
  const [typed, setTyped] = useState(noFilter);
  const services = useConfigObjects('websrvs');
  const set = (key: keyof EventFilter) => (text: string) =>
    setTyped((before) => ({ ...before, [key]: text }));
  const applications = ['Manager', ...(services.data ?? []).map(({ name }) => name)];
  return (
    <SearchForm onSearch={() => onSearch(typed)}>
      <Field label={t('eventText')} type="search" value={typed.text} onChange={set('text')} autoFocus />
      <Select
        label={t('application')}
        value={typed.application}
        onChange={set('application')}
        choices={[
          { id: '', name: t('allApplications') },
          ...applications.map((name) => ({ id: name, name })),
        ]}
      />
      <Field label={t('eventDn')} value={typed.dn} onChange={set('dn')} />
      <Field label={t('eventClient')} value={typed.client} onChange={set('client')} />
      <Field label={t('from')} type="datetime-local" value={typed.start} onChange={set('start')} />
      <Field label={t('until')} type="datetime-local" value={typed.stop} onChange={set('stop')} />
    </SearchForm>
  );
}

function Events({ filter }: { readonly filter: EventFilter }) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const search = searchOf(filter);
  const found = useInfiniteQuery({
    queryKey: ['Search_Event_Logs', search],
    queryFn: ({ pageParam }) =>
      manager.Search_Event_Logs({ ...search, max: 200, ...(pageParam !== null && { before: pageParam }) }),
    initialPageParam: noPlace,
    getNextPageParam: ({ next }) => next,
  });
  if (found.isError) return <Failure error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton lines={8} />;
  const events = found.data.pages.flatMap((page) => page.events);
  return (
    <>
      <Table
        label={t('eventList')}
        columns={columnsOf(t)}
        rows={events}
        keyOf={({ time, session, text }) => `${time} ${session} ${text}`}
        empty={t('noEvents')}
      />
      <div className="row-apart">
        <p role="status" className="soft">
          {t('shown', { count: events.length })}
        </p>
        {found.hasNextPage && (
          <Button isPending={found.isFetchingNextPage} onPress={() => void found.fetchNextPage()}>
            {t('older')}
          </Button>
        )}
      </div>
    </>
  );
}

/** The first page is before nothing. */
const noPlace: number | null = null;

interface EventLine extends EventWithMeaning {
  readonly time: string;
  readonly session: string;
  readonly client: string;
  readonly source: string;
  readonly dn: string;
  readonly count?: number | undefined;
}

const columnsOf = (t: (key: keyof typeof configurationTexts.en) => string): readonly Column<EventLine>[] => [
  { id: 'time', name: t('time'), cell: ({ time }) => <Moment at={momentOf(time)} /> },
  {
    id: 'text',
    name: t('eventText'),
    cell: (event) => (
      <>
        <EventWords event={event} hasRecord />
        {event.count !== undefined && <Badge>× {event.count}</Badge>}
      </>
    ),
  },
  { id: 'dn', name: t('eventDn'), cell: ({ dn }) => <span className="break">{dn}</span> },
  { id: 'client', name: t('eventClient'), cell: ({ client, source }) => source || client },
  { id: 'session', name: t('session'), cell: ({ session }) => <code>{session}</code> },
];

function ExportMenu({ filter }: { readonly filter: EventFilter }) {
  const t = useTexts(configurationTexts);
  const { manager, check } = useSession();
  const save = useAction({
    run: (format: 'JSON' | 'CEF') => manager.Export_Event_Logs({ ...searchOf(filter), format }),
    done: (format, text) => {
      download(format === 'JSON' ? 'events.jsonl' : 'events.cef', text);
      return t('exported', { count: text.split('\n').length - 1 });
    },
    changes: [],
  });
  if (!check.may('Export_Event_Logs')) return null;
  const entry = (format: 'JSON' | 'CEF', name: string) => ({
    id: format,
    name,
    onAction: () => save.mutate(format),
  });
  return (
    <Menu label={t('export')} entries={[entry('JSON', t('exportJson')), entry('CEF', t('exportCef'))]}>
      <Button size="small" isPending={save.isPending}>
        {t('export')}
      </Button>
    </Menu>
  );
}
