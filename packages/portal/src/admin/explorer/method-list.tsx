/** The list of methods by application, filtered by a query. */
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Field } from '../../kit/field.tsx';
import { Badge, Empty } from '../../kit/show.tsx';
import { explorerTexts } from '../../texts/explorer/index.ts';
import { useTexts } from '../../texts/text.ts';
import { findMethods, groupMethods, isMutating, type MethodDescription } from './open-rpc.ts';

interface MethodListProps {
  readonly methods: readonly MethodDescription[];
  readonly chosen: string | undefined;
}

export function MethodList({ methods, chosen }: MethodListProps) {
  const t = useTexts(explorerTexts);
  const [typed, setTyped] = useState('');
  const [, go] = useLocation();
  const found = findMethods(methods, typed);
  const [first] = found;
  const openFirst = () => {
    if (first && typed.trim() !== '') go(`/explorer/${first.name}`);
  };
  return (
    <nav className="beside-list stack-tight" aria-label={t('methods')}>
      <Field
        label={t('find')}
        type="search"
        value={typed}
        onChange={setTyped}
        onKeyDown={({ key }) => key === 'Enter' && openFirst()}
        autoFocus={chosen === undefined}
      />
      <p role="status" className="soft small">
        {found.length > 0 ? t('found', { count: found.length }) : ''}
      </p>
      {found.length === 0 && <Empty>{t('none')}</Empty>}
      {groupMethods(found).map((group) => (
        <section key={group.application} className="stack-tight">
          <h2 className="list-title">{group.application || t('core')}</h2>
          <ul className="link-list">
            {group.methods.map((method) => (
              <li key={method.name}>
                <Link
                  href={`/explorer/${method.name}`}
                  {...(method.name === chosen && { 'aria-current': 'page' as const })}
                >
                  <span className="break">{shortName(method.name)}</span>
                  {isMutating(method) && <Badge tone="warn">{t('writes')}</Badge>}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

const shortName = (name: string): string => name.slice(name.indexOf('.') + 1);
