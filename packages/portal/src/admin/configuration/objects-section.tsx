/** Objects of the configuration with their paths, read-only. */
import { Card, Empty, Facts, Notice } from '../../kit/show.tsx';
import { Read } from '../../shell/read.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type ConfigType, useConfigObjects } from './config-objects.ts';

export const DomainsSection = () => <Objects type="domains" at="domains" />;
export const OptionSetsSection = () => <Objects type="optionsets" at="option_sets" />;

/** @param at the key of the configuration that they stand below */
function Objects({ type, at }: { readonly type: ConfigType; readonly at: string }) {
  const t = useTexts(configurationTexts);
  const objects = useConfigObjects(type);
  return (
    <Read query={objects}>
      {(found) => (
        <>
          <Notice>{t('ownedByConfiguration', { at })}</Notice>
          {found.length === 0 && <Empty>{t('noneConfigured')}</Empty>}
          {found.map(({ name, settings }) => (
            <Card key={name} title={name}>
              <Facts facts={settings.filter(([, value]) => value !== '')} />
            </Card>
          ))}
        </>
      )}
    </Read>
  );
}
