/** API keys of calling systems: to be made and renewed. A key is shown once, in the dialog that made it. */
import { type FormEvent, useState } from 'react';
import type { Manager } from '../../api/manager.ts';
import { Button } from '../../kit/button.tsx';
import { Code } from '../../kit/code.tsx';
import { Checkbox, Field, Select } from '../../kit/field.tsx';
import { FormActions } from '../../kit/form-actions.tsx';
import { Notice } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useConfigObjects } from './config-objects.ts';

export type ApiKey = Awaited<ReturnType<Manager['List_API_Keys']>>[number];

/** The queries that a change of a key makes stale. */
export const changedByKeys = [['List_API_Keys'], ['List_Config'], ['Get_Config'], ['Config_History']];

/** Returns whether a text is a moment as the interface writes it, or empty. */
const isMoment = (text: string): boolean => text === '' || /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);

interface FormProps {
  readonly onClose: () => void;
}

export function MakeKeyForm({ onClose }: FormProps) {
  const services = useConfigObjects('websrvs');
  const clients = useConfigObjects('clients');
  return (
    <Read query={services}>
      {(found) => (
        <Read query={clients}>
          {(policies) => (
            <MakeForm
              services={found.map(({ name }) => name.toLowerCase())}
              policies={policies.map(({ name }) => name)}
              onClose={onClose}
            />
          )}
        </Read>
      )}
    </Read>
  );
}

interface MakeFormProps extends FormProps {
  readonly services: readonly string[];
  /** The names of the client policies. */
  readonly policies: readonly string[];
}

function MakeForm({ services, policies, onClose }: MakeFormProps) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [owner, setOwner] = useState('');
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [clients, setClients] = useState('');
  const [client, setClient] = useState('');
  const [expires, setExpires] = useState('');
  const networks = clients.split(/\s+/).filter((one) => one !== '');
  const make = useAction({
    run: () =>
      manager.Make_API_Key({
        owner: owner.trim(),
        ...(opened.length > 0 && { services: [...opened] }),
        ...(networks.length > 0 && { clients: networks }),
        ...(client !== '' && { client }),
        ...(expires !== '' && { expires }),
      }),
    changes: changedByKeys,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isMoment(expires)) make.mutate();
  };
  if (make.data) return <ShownKey text={make.data.key} onClose={onClose} />;
  return (
    <form className="form" onSubmit={submit}>
      <Field label={t('keyOwner')} value={owner} onChange={setOwner} maxLength={256} isRequired autoFocus />
      <fieldset className="stack-tight">
        <legend>{t('keyServices')}</legend>
        {services.map((service) => (
          <Checkbox
            key={service}
            isSelected={opened.includes(service)}
            onChange={(isChosen) =>
              setOpened(isChosen ? [...opened, service] : opened.filter((one) => one !== service))
            }
          >
            {service}
          </Checkbox>
        ))}
      </fieldset>
      <Field
        label={t('keyNetworks')}
        description={t('keyNetworksHint')}
        value={clients}
        onChange={setClients}
        multiline
        rows={2}
        mono
        spellCheck="false"
      />
      <Select
        label={t('keyClient')}
        value={client}
        onChange={setClient}
        choices={[{ id: '', name: t('keyAnyClient') }, ...policies.map((name) => ({ id: name, name }))]}
      />
      <EndField value={expires} onChange={setExpires} />
      <FormActions act={t('makeKey')} isPending={make.isPending} onCancel={onClose} />
    </form>
  );
}

interface EndFieldProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function EndField({ value, onChange }: EndFieldProps) {
  const t = useTexts(configurationTexts);
  return (
    <Field
      label={t('keyEnd')}
      description={t('keyEndHint')}
      placeholder="2030-01-01 00:00:00"
      value={value}
      onChange={onChange}
      error={isMoment(value) ? undefined : t('wrongValue')}
      mono
    />
  );
}

const hourSeconds = 3600;
const longestHours = 720;

interface RenewKeyFormProps extends FormProps {
  readonly id: string;
}

export function RenewKeyForm({ id, onClose }: RenewKeyFormProps) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [hours, setHours] = useState('24');
  const [expires, setExpires] = useState('');
  const isWrong = !/^\d{1,3}$/.test(hours) || Number(hours) > longestHours;
  const renew = useAction({
    run: () =>
      manager.Renew_API_Key({
        ...{ id: Number(id), overlap: Number(hours) * hourSeconds },
        ...(expires !== '' && { expires }),
      }),
    changes: changedByKeys,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong && isMoment(expires)) renew.mutate();
  };
  if (renew.data) return <ShownKey text={renew.data.key} onClose={onClose} />;
  return (
    <form className="form" onSubmit={submit}>
      <Field
        label={t('keyOverlap')}
        description={t('keyOverlapHint')}
        value={hours}
        onChange={setHours}
        error={isWrong ? t('wrongOverlap') : undefined}
        inputMode="numeric"
        autoFocus
      />
      <EndField value={expires} onChange={setExpires} />
      <FormActions act={t('renewKey')} isPending={renew.isPending} onCancel={onClose} />
    </form>
  );
}

function ShownKey({ text, onClose }: FormProps & { readonly text: string }) {
  const t = useTexts(configurationTexts);
  return (
    <div className="form">
      <Notice tone="warn">{t('keyShownOnce')}</Notice>
      <Code text={text} label={t('keyText')} />
      <div className="form-actions">
        <Button variant="primary" onPress={onClose}>
          {t('keySaved')}
        </Button>
      </div>
    </div>
  );
}
