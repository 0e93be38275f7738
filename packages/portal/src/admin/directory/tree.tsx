/**
 * The tree: each container is read when it is opened, a page at a time, so that one with a hundred thousand entries opens as fast as
 * one with ten. Arrows go through it, right opens and left closes.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { Button, IconButton } from '../../kit/button.tsx';
import { Field } from '../../kit/field.tsx';
import { Icon, type IconName } from '../../kit/icons.tsx';
import { Skeleton } from '../../kit/show.tsx';
import { Failure } from '../../shell/failure.tsx';
import { useSession } from '../../shell/session.tsx';
import { directoryTexts } from '../../texts/directory/index.ts';
import { useTexts } from '../../texts/text.ts';
import { filterFor, isSame, parentOf, pathTo } from './names.ts';
import { entryPath } from './paths.ts';
import { useTreeKeys } from './tree-keys.ts';

interface TreeProps {
  readonly roots: readonly string[];
  readonly chosen: string | undefined;
}

export function Tree({ roots, chosen }: TreeProps) {
  const t = useTexts(directoryTexts);
  const [typed, setTyped] = useState('');
  const narrowed = useDeferredValue(typed.trim());
  const keys = useTreeKeys();
  return (
    <nav className="beside-list stack-tight" aria-label={t('tree')} ref={keys}>
      <Field
        label={t('narrow')}
        description={t('narrowHint')}
        type="search"
        value={typed}
        onChange={setTyped}
      />
      <ul className="tree">
        {roots.map((dn) => (
          <Branch key={dn} {...{ dn, chosen, narrowed }} name={dn} kind="container" isOpenAtFirst />
        ))}
      </ul>
    </nav>
  );
}

interface BranchProps {
  readonly dn: string;
  readonly name: string;
  readonly kind: 'user' | 'group' | 'container' | 'other';
  readonly chosen: string | undefined;
  readonly narrowed: string;
  readonly isOpenAtFirst?: boolean;
}

const signs: Readonly<Record<BranchProps['kind'], IconName>> = {
  user: 'people',
  group: 'list',
  container: 'tree',
  other: 'key',
};

function Branch({ dn, name, kind, chosen, narrowed, isOpenAtFirst = false }: BranchProps) {
  const t = useTexts(directoryTexts);
  const isAbove = chosen !== undefined && !isSame(chosen, dn) && pathTo(chosen, dn).length > 0;
  const [isOpen, setOpen] = useState(isOpenAtFirst || isAbove);
  const mayOpen = kind === 'container' || kind === 'other';
  const isChosen = chosen !== undefined && isSame(chosen, dn);
  return (
    <li>
      <div className="tree-line">
        {mayOpen ? (
          <IconButton
            size="small"
            icon={isOpen ? 'down' : 'next'}
            label={t(isOpen ? 'closeBranch' : 'openBranch', { name })}
            aria-expanded={isOpen}
            onPress={() => setOpen(!isOpen)}
          />
        ) : (
          <span className="tree-gap" />
        )}
        <Link href={entryPath(dn)} {...(isChosen && { 'aria-current': 'page' as const })}>
          <Icon name={signs[kind]} />
          <span className="break">{name}</span>
        </Link>
      </div>
      {isOpen && <Children {...{ dn, chosen, narrowed }} />}
    </li>
  );
}

function Children({ dn, chosen, narrowed }: Pick<BranchProps, 'dn' | 'chosen' | 'narrowed'>) {
  const t = useTexts(directoryTexts);
  const { manager } = useSession();
  // Narrowed is what was chosen, or what the chosen entry stands in.
  const isNarrowed =
    narrowed !== '' && (chosen === undefined || [chosen, parentOf(chosen)].some((one) => isSame(one, dn)));
  const filter = isNarrowed ? filterFor(narrowed) : undefined;
  const children = useInfiniteQuery({
    queryKey: ['List_LDAP_Children', dn, filter],
    queryFn: ({ pageParam }) =>
      manager.List_LDAP_Children({
        ...{ container: dn, max: 200 },
        ...(filter !== undefined && { filter }),
        ...(pageParam !== null && { start: pageParam }),
      }),
    initialPageParam: first,
    getNextPageParam: ({ next }) => next,
  });
  if (children.isError) return <Failure error={children.error} onRetry={() => void children.refetch()} />;
  if (!children.data) return <Skeleton lines={2} />;
  const entries = children.data.pages.flatMap((page) => page.entries);
  return (
    <ul className="tree tree-below">
      {entries.map((entry) => (
        <Branch key={entry.dn} {...entry} {...{ chosen, narrowed }} />
      ))}
      {entries.length === 0 && <li className="soft small tree-empty">{t('nothingBelow')}</li>}
      {children.hasNextPage && (
        <li>
          <Button
            size="small"
            variant="quiet"
            isPending={children.isFetchingNextPage}
            onPress={() => void children.fetchNextPage()}
          >
            {t('more', { count: entries.length })}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** The first page has nothing before it. */
const first: string | null = null;
