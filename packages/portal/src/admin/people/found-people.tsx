/** The found users, each with a link to their page. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Manager } from '../../api/manager.ts';
import { Badge, Empty, Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { peopleTexts } from '../../texts/people/index.ts';
import { useTexts } from '../../texts/text.ts';
import { Initials } from './initials.tsx';

type Found = Awaited<ReturnType<Manager['Find_Users']>>;

export const pathOf = (dn: string): string => `/people?dn=${encodeURIComponent(dn)}`;

interface FoundPeopleProps {
  readonly found: UseQueryResult<Found>;
  readonly most: number;
  readonly onOpen: () => void;
}

export function FoundPeople({ found, most, onOpen }: FoundPeopleProps) {
  const t = useTexts(peopleTexts);
  if (found.isError) return <Failure error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton />;
  const count = found.data.length;
  return (
    <div className="stack-tight">
      <p role="status" className="soft">
        {count >= most ? t('foundMany', { count }) : t('found', { count })}
      </p>
      {count === 0 && <Empty>{t('nobody')}</Empty>}
      <ul className="person-list">
        {found.data.map((person) => (
          <li key={person.dn}>
            <FoundPerson person={person} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function FoundPerson({ person, onOpen }: { readonly person: Found[number]; readonly onOpen: () => void }) {
  const t = useTexts(peopleTexts);
  const { dn, name, logins, mail, domains, active } = person;
  return (
    <Link href={pathOf(dn)} onClick={onOpen} className="person-link">
      <Initials name={name} />
      <span className="person-link-text">
        <strong className="break">{name}</strong>
        <span className="soft break">{[...logins, ...mail].join(' · ')}</span>
      </span>
      <span className="row">
        {domains.map((domain) => (
          <Badge key={domain}>{domain}</Badge>
        ))}
        {!active && <Badge tone="warn">{t('inactive')}</Badge>}
      </span>
    </Link>
  );
}
