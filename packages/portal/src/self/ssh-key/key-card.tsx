/** The SSH key of the user, to recognise and to remove. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Card, Facts } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { OwnSshKey } from '../own/calls.ts';
import { useShortDate } from '../own/moment.ts';
import { keys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

/** Returns what distinguishes a key: its fingerprint and its comment. */
export const namesOf = ({ fingerprint, comment, type }: OwnSshKey): readonly string[] =>
  [fingerprint ?? type, comment].filter((name) => name !== undefined);

export function KeyCard({ of }: { readonly of: OwnSshKey }) {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const [isAsked, setAsked] = useState(false);
  const remove = useAction({
    run: () => {
      setAsked(false);
      return own((manager) => manager.SshKey.Key_Unregister({ dn }));
    },
    done: (_, isRemoved) => t(isRemoved === false ? 'noSshKey' : 'sshKeyRemoved'),
    changes: [keys.sshKey],
  });
  return (
    <Card title={t('yourSshKey')}>
      <KeyFacts of={of} />
      <div className="row">
        {of.pubkey !== undefined && <CopyButton text={of.pubkey} label={t('copyPublicKey')} />}
        <Button onPress={() => setAsked(true)} isPending={remove.isPending}>
          {t('removeSshKey')}
        </Button>
      </div>
      <Confirm
        title={t('removeSshKey')}
        lost={[...namesOf(of), t('removeSshKeyLost')]}
        act={t('removeSshKey')}
        isOpen={isAsked}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsked(false)}
      />
    </Card>
  );
}

function KeyFacts({
  of: { type, bits, fingerprint, comment, expires, sessions },
}: {
  readonly of: OwnSshKey;
}) {
  const t = useTexts(selfTexts);
  const date = useShortDate();
  const facts = [
    [t('keyType'), t('keyTypeBits', { type, bits })],
    [t('fingerprint'), fingerprint && <code className="break">{fingerprint}</code>],
    [t('keyComment'), comment],
    [t('keyExpires'), expires && date(expires)],
    [t('keySessions'), sessions],
  ] as const;
  return (
    <Facts facts={facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))} />
  );
}
