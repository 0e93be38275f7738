/** The tokens and security keys of a user, and the actions on them. */
import { useState } from 'react';
import { Empty } from '../../../../kit/show.tsx';
import { useSession } from '../../../../shell/session.tsx';
import { peopleTexts } from '../../../../texts/people/index.ts';
import { useTexts } from '../../../../texts/text.ts';
import { ResyncDialog } from '../../acts/resync-dialog.tsx';
import { usePerson, usePersonRead } from '../person.ts';
import { ReadCard } from '../read-card.tsx';
import { DeviceLine } from './device-line.tsx';
import type { Token } from './token.ts';
import { TokenLine } from './token-line.tsx';

export const useTokens = () =>
  usePersonRead('Otp.User_Tokens', (manager, dn) => manager.Otp.User_Tokens({ dn }));

export function TokensCard() {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const [resynced, setResynced] = useState<Token>();
  const tokens = useTokens();
  const devices = usePersonRead('Otp.User_Devices', () => manager.Otp.User_Devices({ dn }));
  return (
    <ReadCard title={t('tokens')} query={tokens}>
      {(list) => (
        <>
          {list.length + (devices.data?.length ?? 0) === 0 && <Empty>{t('noTokens')}</Empty>}
          <ul className="lines">
            {list.map((token) => (
              <li key={token.id}>
                <TokenLine token={token} onResync={() => setResynced(token)} />
              </li>
            ))}
            {devices.data?.map((device) => (
              <li key={`device ${device.id}`}>
                <DeviceLine device={device} />
              </li>
            ))}
          </ul>
          <ResyncDialog token={resynced} onClose={() => setResynced(undefined)} />
        </>
      )}
    </ReadCard>
  );
}
