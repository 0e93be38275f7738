/** Recovery codes: a printed list of codes, each valid once, for use when other factors are not available. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Badge, Card, Empty } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Failure } from '../../shell/failure.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { Overview, OwnList } from '../own/calls.ts';
import { factorKeys, useList, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { CodesDialog } from './codes-dialog.tsx';
import { FactorRow } from './factor-row.tsx';

export function CodesCard({ overview: { parts, types } }: { readonly overview: Overview }) {
  const t = useTexts(factorsTexts);
  const [isAsked, setAsked] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const make = useMaking(setCodes);
  const { data: list, error, refetch } = useList(parts.otp);
  if (!parts.otp) return null;
  const begin = () => (!list ? make.mutate() : setAsked(true));
  const actions = types.includes('LIST') && list !== undefined && (
    <Button icon="plus" size="small" isPending={make.isPending} onPress={begin}>
      {t(list === null ? 'makeCodes' : 'newCodes')}
    </Button>
  );
  return (
    <Card title={t('codes')} actions={actions}>
      {error && <Failure error={error} onRetry={refetch} />}
      {list === null && <Empty>{t('noCodes')}</Empty>}
      {list && <CodesRow {...list} />}
      <Confirm
        title={t('newCodes')}
        lost={[t('newCodesLost')]}
        act={t('makeCodes')}
        isOpen={isAsked}
        onConfirm={() => {
          setAsked(false);
          make.mutate();
        }}
        onClose={() => setAsked(false)}
      />
      {codes && <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  );
}

/** Shown once, here: afterwards only those who ask for them with a fresh second factor could read them. */
function useMaking(show: (codes: readonly string[]) => void) {
  const own = useOwn();
  const dn = useOwnDn();
  return useAction({
    run: () =>
      own(async (manager) => {
        await manager.Otp.List_Register({ dn });
        return manager.Otp.List_Fetch({ dn });
      }),
    changes: factorKeys,
    after: show,
  });
}

function CodesRow({ size, used, name }: OwnList) {
  const t = useTexts(factorsTexts);
  const left = size - used;
  const codesLeft = t('codesLeft', { count: left });
  return (
    <ul className="factor-list">
      <FactorRow
        of={{ factor: 'LIST' }}
        icon="list"
        name={name ?? codesLeft}
        called={t('codes')}
        given={name}
        state={
          left <= few && <Badge tone={left === 0 ? 'bad' : 'warn'}>{t(left === 0 ? 'usedUp' : 'few')}</Badge>
        }
        facts={[...(name === undefined ? [] : [codesLeft]), t('codesOf', { size })]}
        removal={{ title: t('removeCodes'), lost: t('newCodesLost'), act: t('removeCodes') }}
      />
    </ul>
  );
}

const few = 3;
