/** The lockouts and blocks of a user, and the user's known sources. */
import { Button } from '../../../kit/button.tsx';
import { Badge, Card, Facts } from '../../../kit/show.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { useBlockActs } from './block-acts.ts';
import { KnownPlaces } from './known-places.tsx';
import { useMay, usePersonRead } from './person.ts';
import { Reading } from './read-card.tsx';

export function BlocksCard() {
  const t = useTexts(peopleTexts);
  const may = useMay();
  const block = usePersonRead('Otp.Block_Check', (manager, dn) => manager.Otp.Block_Check({ dn }));
  const { unblock } = useBlockActs(block.data);
  // An administrator without the right to see the state may still unblock.
  const hasFailures =
    block.data === undefined
      ? !may('Otp.Block_Check')
      : block.data.blocked || block.data.passwords + block.data.codes > 0;
  const actions = hasFailures && may('Otp.Block_Reset') && (
    <Button size="small" isPending={unblock.isPending} onPress={() => unblock.mutate()}>
      {t('unblock')}
    </Button>
  );
  if (!['Otp.Block_Check', 'Otp.Block_Reset', 'User_Places'].some((method) => may(method))) return null;
  return (
    <Card title={t('blocks')} actions={actions}>
      <Reading query={block}>
        {({ passwords, codes, ...state }) => (
          <Facts
            facts={[
              [t('status'), <BlockBadge key="state" {...state} />],
              [t('wrongs'), t('wrongsAre', { passwords, codes })],
            ]}
          />
        )}
      </Reading>
      <KnownPlaces />
    </Card>
  );
}

function BlockBadge({ blocked, seconds }: { readonly blocked: boolean; readonly seconds: number }) {
  const t = useTexts(peopleTexts);
  if (!blocked) return <Badge tone="good">{t('notBlocked')}</Badge>;
  return <Badge tone="bad">{seconds > 0 ? t('blockedFor', { count: seconds }) : t('blocked')}</Badge>;
}
