/** The page of one user: identity, factors, events, and the permitted actions. */
import { useMemo, useState } from 'react';
import { Skeleton } from '../../../kit/show.tsx';
import { useEntryRights } from '../../../shell/entry-rights.ts';
import { Failure } from '../../../shell/failure.tsx';
import { Read } from '../../../shell/read.tsx';
import { EnrolDialog } from '../acts/enrol-dialog.tsx';
import { BlocksCard } from './blocks-card.tsx';
import { CertificatesCard } from './certificates-card.tsx';
import { OtherCodesCard } from './codes/other-codes-card.tsx';
import { TokensCard } from './codes/tokens-card.tsx';
import { EventsCard } from './events-card.tsx';
import { IdentityCard } from './identity-card.tsx';
import { LastLogin } from './last-login.tsx';
import { nameOf, type Person, PersonContext, personKey, rdnValue, usePersonRead } from './person.ts';
import { PersonHead } from './person-head.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SettingsCard } from './settings-card.tsx';
import { SshKeyCard } from './ssh-key-card.tsx';

export function PersonPage({ dn }: { readonly dn: string }) {
  const rights = useEntryRights({ dn, key: personKey(dn) });
  return (
    <Read query={rights} lines={6}>
      {(found) => (
        <PersonContext value={{ dn, name: rdnValue(dn), rights: found }}>
          <NamedPage dn={dn} rights={found} />
        </PersonContext>
      )}
    </Read>
  );
}

function NamedPage({ dn, rights }: Pick<Person, 'dn' | 'rights'>) {
  const attributes = usePersonRead('Get_User_Attrs', (manager) => manager.Get_User_Attrs({ dn }));
  const person = useMemo(
    () => ({ dn, name: nameOf(attributes.data ?? {}, dn), rights }),
    [dn, attributes.data, rights],
  );
  const [isEnrolling, setEnrolling] = useState(false);
  const enrol = () => setEnrolling(true);
  if (attributes.isError)
    return <Failure error={attributes.error} onRetry={() => void attributes.refetch()} />;
  if (attributes.isLoading) return <Skeleton lines={6} />;
  return (
    <PersonContext value={person}>
      <PersonHead onEnrol={enrol} />
      <LastLogin />
      <div className="person-cards">
        <div className="stack">
          <TokensCard />
          <OtherCodesCard />
          <BlocksCard />
          <EventsCard />
        </div>
        <div className="stack">
          <IdentityCard />
          <SessionsCard />
          <CertificatesCard />
          <SshKeyCard />
        </div>
      </div>
      <SettingsCard />
      <EnrolDialog isOpen={isEnrolling} onClose={() => setEnrolling(false)} />
    </PersonContext>
  );
}
