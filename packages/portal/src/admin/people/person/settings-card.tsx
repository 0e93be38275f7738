/** The settings in force for a user, each with the layer that it comes from. */
import { useDeferredValue, useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Field } from '../../../kit/field.tsx';
import { Badge, type Tone } from '../../../kit/show.tsx';
import { Table } from '../../../kit/table.tsx';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { type Explained, type NamedSetting, SettingDialog } from '../acts/setting-dialog.tsx';
import { rdnValue, useMay, usePerson, usePersonRead } from './person.ts';
import { ReadCard } from './read-card.tsx';

export function SettingsCard() {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter.trim().toLowerCase());
  const [changed, setChanged] = useState<NamedSetting>();
  const settings = usePersonRead('Explain_User_Settings', () => manager.Explain_User_Settings({ dn }));
  const mayChange = may('Set_User_Settings');
  return (
    <ReadCard title={t('settings')} query={settings}>
      {(explained) => (
        <>
          <Field label={t('filterSettings')} value={filter} onChange={setFilter} />
          <Table
            label={t('settings')}
            rows={Object.entries(explained)
              .map(([name, setting]) => ({ ...setting, name }))
              .filter(({ name }) => name.toLowerCase().includes(wanted))
              .sort((a, b) => Number(isDefault(a)) - Number(isDefault(b)))}
            keyOf={({ name }) => name}
            empty="–"
            columns={[
              { id: 'name', name: t('setting'), cell: (setting) => <Name setting={setting} /> },
              { id: 'value', name: t('value'), cell: ({ value }) => <span className="break">{value}</span> },
              { id: 'layer', name: t('comesFrom'), cell: (setting) => <Layer setting={setting} /> },
              {
                id: 'acts',
                name: t('change'),
                isNameHidden: true,
                cell: (setting) =>
                  mayChange && (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={t('changeSetting', { name: setting.name })}
                      onPress={() => setChanged(setting)}
                    >
                      {t('change')}
                    </Button>
                  ),
              },
            ]}
          />
          <SettingDialog setting={changed} onClose={() => setChanged(undefined)} />
        </>
      )}
    </ReadCard>
  );
}

function Name({ setting: { name, unsupported } }: { readonly setting: NamedSetting }) {
  const t = useTexts(peopleTexts);
  return (
    <span className="row">
      <code>{name}</code>
      {unsupported !== undefined && <Badge tone="warn">{t('noEffect')}</Badge>}
    </span>
  );
}

/** Returns whether a setting has its preset; changed ones come first. */
const isDefault = ({ layer }: Explained): boolean => layer === 'application';

const tones: Readonly<Partial<Record<Explained['layer'], Tone>>> = {
  user: 'accent',
  group: 'good',
  application: 'plain',
};

function Layer({ setting }: { readonly setting: Explained }) {
  const t = useTexts(peopleTexts);
  const say = useLayers();
  const [below] = setting.overridden;
  return (
    <span className="stack-tight">
      <span>
        <Badge tone={tones[setting.layer] ?? 'warn'}>{say(setting)}</Badge>
      </span>
      {below && below.layer !== 'application' && (
        <span className="soft">{t('covers', { value: below.value, layer: say(below) })}</span>
      )}
    </span>
  );
}

function useLayers(): (setting: Pick<Explained, 'layer' | 'from'>) => string {
  const t = useTexts(peopleTexts);
  return ({ layer, from }) => {
    if (layer === 'application') return t('layerApplication');
    if (layer === 'installation') return t('layerInstallation');
    if (layer === 'user') return t('layerUser');
    if (layer === 'group')
      return from === null ? t('layerHidden') : t('layerGroup', { from: rdnValue(from) });
    return t('layerClient', { from: from ?? '' });
  };
}
