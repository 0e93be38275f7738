/** The calling systems, the policy of each, and the mode that holds at the moment. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Checkbox, Field, Select } from '../../kit/field.tsx';
import { Card, Empty, Facts, Notice } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { kitTexts } from '../../texts/kit/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useConfigObjects } from './config-objects.ts';

export function ClientsSection() {
  const t = useTexts(configurationTexts);
  const { check } = useSession();
  const clients = useConfigObjects('clients');
  const [chosen, setChosen] = useState<string>();
  return (
    <Read query={clients}>
      {(found) => (
        <>
          <Notice>{t('ownedByConfiguration', { at: 'clients' })}</Notice>
          {found.length === 0 && <Empty>{t('noneConfigured')}</Empty>}
          {found.map(({ name, settings }) => (
            <Card
              key={name}
              title={name}
              actions={
                check.may('Set_Client_Mode') && (
                  <Button size="small" onPress={() => setChosen(name)}>
                    {t('setMode')}
                  </Button>
                )
              }
            >
              <Facts facts={settings.filter(([, value]) => value !== '')} />
            </Card>
          ))}
          {chosen !== undefined && <ModeDialog client={chosen} onClose={() => setChosen(undefined)} />}
        </>
      )}
    </Read>
  );
}

/** Modes, in the order of the numbers that the method takes. */
const modes = ['modeDefault', 'modeStepDown', 'modeStepUp', 'modeNoAccess'] as const;

function ModeDialog({ client, onClose }: { readonly client: string; readonly onClose: () => void }) {
  const t = useTexts(configurationTexts);
  const kit = useTexts(kitTexts);
  const { manager } = useSession();
  const [mode, setMode] = useState('0');
  const [minutes, setMinutes] = useState('');
  const [isForAll, setForAll] = useState(true);
  const set = useAction({
    run: () =>
      manager.Set_Client_Mode({
        ...{ client, mode: Number(mode), group: isForAll, network: isForAll },
        ...(minutes !== '' && { timeout: Number(minutes) * 60 }),
      }),
    done: () => t('modeSet', { client }),
    changes: [['Get_Config_Objects', 'clients']],
    after: onClose,
  });
  const isWrong = !/^\d*$/.test(minutes);
  return (
    <Dialog title={t('modeOf', { client })} isOpen onClose={onClose}>
      <Select
        label={t('mode')}
        value={mode}
        onChange={setMode}
        choices={modes.map((key, index) => ({ id: String(index), name: t(key) }))}
      />
      <Field
        label={t('minutes')}
        description={t('minutesHint')}
        value={minutes}
        onChange={setMinutes}
        inputMode="numeric"
        error={isWrong ? t('noNumber') : undefined}
      />
      <Checkbox isSelected={isForAll} onChange={setForAll}>
        {t('modeForAll')}
      </Checkbox>
      <div className="form-actions">
        <Button onPress={onClose}>{kit('cancel')}</Button>
        <Button variant="primary" isDisabled={isWrong} isPending={set.isPending} onPress={() => set.mutate()}>
          {t('setMode')}
        </Button>
      </div>
    </Dialog>
  );
}
