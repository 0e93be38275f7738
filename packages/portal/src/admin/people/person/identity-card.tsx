/** The identity of a user: names, domains, groups, and further attributes. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';
import { Icon } from '../../../kit/icons.tsx';
import { Badge, Facts } from '../../../kit/show.tsx';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { personKey, rdnValue, useMay, usePerson, usePersonRead } from './person.ts';
import { ReadCard } from './read-card.tsx';

/** Attributes that are shown first, in lower case. */
const first = [
  'uid',
  'samaccountname',
  'userprincipalname',
  'mail',
  'mobile',
  'telephonenumber',
  'title',
  'description',
];

export function IdentityCard() {
  const t = useTexts(peopleTexts);
  const attributes = usePersonRead('Get_User_Attrs', (manager, dn) => manager.Get_User_Attrs({ dn }));
  const domains = usePersonRead('Get_User_Domains', (manager, dn) => manager.Get_User_Domains({ dn }));
  const groups = useGroups(domains.data ?? []);
  return (
    <ReadCard title={t('identity')} query={attributes}>
      {(read) => {
        const all = Object.entries(read).map(
          ([name, values]) => [name, <Values key={name} values={values} />] as const,
        );
        const rank = ([name]: readonly [string, ReactNode]) => first.indexOf(name.toLowerCase());
        const known = all.filter((one) => rank(one) >= 0).sort((a, b) => rank(a) - rank(b));
        return (
          <>
            <Facts
              facts={[
                ...known,
                ...(domains.data ? [[t('domains'), domains.data.join(', ')] as const] : []),
                ...(groups ? [[t('groups'), <Groups key="groups" groups={groups} />] as const] : []),
              ]}
            />
            <Disclosure className="disclosure">
              <Heading level={3}>
                <Button slot="trigger" className="disclosure-button">
                  <Icon name="down" />
                  {t('allAttributes')}
                </Button>
              </Heading>
              <DisclosurePanel>
                <Facts facts={all} />
              </DisclosurePanel>
            </Disclosure>
          </>
        );
      }}
    </ReadCard>
  );
}

/** Loads the groups of all domains of the user. */
function useGroups(domains: readonly string[]): readonly string[] | undefined {
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const read = useQuery({
    queryKey: [...personKey(dn), 'Get_User_Groups', ...domains],
    queryFn: () => Promise.all(domains.map((domain) => manager.Get_User_Groups({ dn, domain }))),
    enabled: domains.length > 0 && may('Get_User_Groups'),
  });
  return read.data && [...new Set(read.data.flat())];
}

function Groups({ groups }: { readonly groups: readonly string[] }) {
  const t = useTexts(peopleTexts);
  if (groups.length === 0) return <span className="soft">{t('noGroups')}</span>;
  return (
    <span className="row">
      {groups.map((dn) => (
        <span key={dn} title={dn}>
          <Badge>{rdnValue(dn)}</Badge>
        </span>
      ))}
    </span>
  );
}

/** Longer ones are keys and pictures. */
const longest = 300;

function Values({ values }: { readonly values: readonly string[] }) {
  return (
    <ul>
      {values.map((value) => (
        <li key={value}>{value.length > longest ? `${value.slice(0, longest)}…` : value}</li>
      ))}
    </ul>
  );
}
