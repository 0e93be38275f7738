/** All settings of the installation by groups, each with the layer that it comes from; and the versions of what was changed here. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { Badge, Card, Notice } from '../../../kit/show.tsx';
import { Read } from '../../../shell/read.tsx';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { type Setting, SettingForm } from './setting-form.tsx';
import { VersionsCard } from './versions-card.tsx';

/** Names of the layers, for people. */
const layerTexts = {
  preset: 'layerPreset',
  file: 'layerFile',
  runtime: 'layerRuntime',
  both: 'layerBoth',
} as const;

export function SettingsSection() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [edited, setEdited] = useState<Setting>();
  const settings = useQuery({ queryKey: ['List_Config'], queryFn: () => manager.List_Config({}) });
  return (
    <>
      <Notice>{t('settingsHint')}</Notice>
      <VersionsCard />
      <Read query={settings} lines={12}>
        {(all) =>
          groupsOf(all).map(([group, members]) => (
            <Card key={group} title={group}>
              <dl className="facts">
                {members.map((setting) => (
                  <SettingRow key={setting.name} setting={setting} onEdit={setEdited} />
                ))}
              </dl>
            </Card>
          ))
        }
      </Read>
      {edited && (
        <Dialog wide title={edited.name} isOpen onClose={() => setEdited(undefined)}>
          <SettingForm setting={edited} onClose={() => setEdited(undefined)} />
        </Dialog>
      )}
    </>
  );
}

function groupsOf(
  all: readonly Setting[],
): readonly (readonly [group: string, members: readonly Setting[]])[] {
  const groups = new Map<string, Setting[]>();
  for (const setting of all) groups.set(setting.group, [...(groups.get(setting.group) ?? []), setting]);
  return [...groups];
}

interface SettingRowProps {
  readonly setting: Setting;
  readonly onEdit: (setting: Setting) => void;
}

function SettingRow({ setting, onEdit }: SettingRowProps) {
  const t = useTexts(configurationTexts);
  const { name, description, layer, changeable, value } = setting;
  return (
    <div className="facts-row">
      <dt>
        <code>{name}</code>
        <p className="soft" lang="en">
          {description}
        </p>
      </dt>
      <dd>
        <div className="row-apart">
          <code>{value === null ? '–' : JSON.stringify(value)}</code>
          <span className="row">
            <Badge tone={layer === 'preset' ? 'plain' : 'accent'}>{t(layerTexts[layer])}</Badge>
            {changeable && layer !== 'file' && (
              <Button size="small" aria-label={t('changeSetting', { name })} onPress={() => onEdit(setting)}>
                {t('edit')}
              </Button>
            )}
          </span>
        </div>
      </dd>
    </div>
  );
}
