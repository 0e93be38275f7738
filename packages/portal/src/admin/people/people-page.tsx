/** The page that finds users and shows one of them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { SearchField } from 'react-aria-components/SearchField';
import { useLocation, useSearchParams } from 'wouter';
import { IconButton } from '../../kit/button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { Empty } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { useSession } from '../../shell/session.tsx';
import { kitTexts } from '../../texts/kit/index.ts';
import { peopleTexts } from '../../texts/people/index.ts';
import { useTexts } from '../../texts/text.ts';
import { FoundPeople, pathOf } from './found-people.tsx';
import { PersonPage } from './person/person-page.tsx';

/** More are asked for by more letters. */
const most = 20;

export function PeoplePage() {
  const t = useTexts(peopleTexts);
  const { manager, rights } = useSession();
  const [query] = useSearchParams();
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const dn = query.get('dn');
  const found = useQuery({
    queryKey: ['Find_Users', asked],
    queryFn: () => manager.Find_Users({ text: asked, max: most }),
    enabled: asked !== '' && rights.may('Find_Users'),
    placeholderData: keepPreviousData,
  });
  const isFound = found.data !== undefined && !found.isPlaceholderData;
  const first = useAction({
    run: async (wanted: string) =>
      wanted === asked && isFound ? found.data : manager.Find_Users({ text: wanted, max: most }),
    changes: [],
    after: ([person]) => {
      if (!person) return;
      setText('');
      go(pathOf(person.dn));
    },
  });
  const openFirst = () => {
    if (text.trim() !== '') first.mutate(text.trim());
  };
  if (!rights.may('Find_Users')) return <Empty>{t('mayNotFind')}</Empty>;
  return (
    <div className="stack">
      <h1 className={dn ? 'visually-hidden' : undefined}>{t('title')}</h1>
      <PeopleSearch text={text} onChange={setText} onSubmit={openFirst} />
      {text.trim() !== '' && <FoundPeople found={found} most={most} onOpen={() => setText('')} />}
      {text.trim() === '' && (dn ? <PersonPage key={dn} dn={dn} /> : <Empty>{t('start')}</Empty>)}
    </div>
  );
}

interface PeopleSearchProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

/** `/` brings the focus here from anywhere on the page. */
function PeopleSearch({ text, onChange, onSubmit }: PeopleSearchProps) {
  const t = useTexts(peopleTexts);
  const kit = useTexts(kitTexts);
  const input = useRef<HTMLInputElement>(null);
  useShortcut('/', () => input.current?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onSubmit();
  };
  return (
    <SearchField className="search" value={text} onChange={onChange} autoFocus>
      <Label className="visually-hidden">{t('search')}</Label>
      <div className="search-box">
        <Icon name="search" />
        <Input
          ref={input}
          className="search-input"
          placeholder={t('searchMore')}
          onKeyDown={onKeyDown}
          aria-describedby="search-hint"
        />
        {text !== '' && <IconButton size="small" icon="close" label={kit('clear')} />}
      </div>
      <p id="search-hint" className="field-description">
        {t('searchHint')}
      </p>
    </SearchField>
  );
}

function useShortcut(key: string, act: () => void): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [role="dialog"], [role="alertdialog"]');
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
}
