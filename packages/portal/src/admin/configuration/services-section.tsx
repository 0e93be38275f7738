/** The web services, and what each asks of the systems that call it. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Select } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { Card, Empty, Facts, Notice } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';
import { type ConfigObject, useConfigObjects } from './config-objects.ts';

export function ServicesSection() {
  const t = useTexts(configurationTexts);
  const { check } = useSession();
  const services = useConfigObjects('websrvs');
  const [chosen, setChosen] = useState<ConfigObject>();
  return (
    <Read query={services}>
      {(found) => (
        <>
          <Notice>{t('ownedByConfiguration', { at: 'websrvs' })}</Notice>
          {found.length === 0 && <Empty>{t('noneConfigured')}</Empty>}
          {found.map((service) => (
            <Card
              key={service.name}
              title={service.name}
              actions={
                check.isSuper && (
                  <Button size="small" onPress={() => setChosen(service)}>
                    {t('requireClientCertificate')}
                  </Button>
                )
              }
            >
              <Facts facts={service.settings.filter(([, value]) => value !== '')} />
            </Card>
          ))}
          {chosen && <RequireDialog service={chosen} onClose={() => setChosen(undefined)} />}
        </>
      )}
    </Read>
  );
}

const proofs = {
  none: 'requireNone',
  api_key: 'requireApiKey',
  certificate: 'requireCertificate',
  either: 'requireEither',
} as const;

interface RequireDialogProps {
  readonly service: ConfigObject;
  readonly onClose: () => void;
}

function RequireDialog({ service: { name, settings }, onClose }: RequireDialogProps) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [proof, setProof] = useState(new Map(settings).get('require') ?? 'none');
  const set = useAction({
    // The word of a web service is the name of its application in small letters.
    run: () => manager.Set_Config({ settings: { websrvs: { [name.toLowerCase()]: { require: proof } } } }),
    done: () => t('requireSet', { name }),
    changes: [['Get_Config_Objects', 'websrvs'], ['List_Config'], ['Config_History']],
    after: onClose,
  });
  return (
    <Dialog title={t('requireOf', { name })} isOpen onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate();
        }}
      >
        <Select
          label={t('callersShow')}
          value={proof}
          onChange={setProof}
          choices={Object.entries(proofs).map(([id, key]) => ({ id, name: t(key) }))}
        />
        <FormActions act={t('saveSetting')} isPending={set.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
