/** A new SSH key: a pasted public key, or a generated pair whose private key is shown once. Replacing a key needs a confirmation. */
import { type FormEvent, useState } from 'react';
import type { Manager } from '../../api/manager.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { download } from '../../kit/download.ts';
import { Field } from '../../kit/field.tsx';
import { Card, Notice } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { OwnSshKey } from '../own/calls.ts';
import { keys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { namesOf } from './key-card.tsx';

interface NewSshKeyProps {
  /** The key that it takes the place of. */
  readonly before: OwnSshKey | undefined;
  /** The type of a new key. */
  readonly type: SshKeyType;
}

type SshKeyType = Parameters<Manager['SshKey']['Key_Register']>[0]['type'];

export function NewSshKey({ before, type }: NewSshKeyProps) {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const [pasted, setPasted] = useState('');
  const [days, setDays] = useState('');
  const [asked, setAsked] = useState<'take' | 'make'>();
  const [privateKey, setPrivateKey] = useState<string>();
  const terms = days === '' ? {} : { expires: Number(days) };
  const take = useAction({
    run: () => own((manager) => manager.SshKey.Key_Import({ dn, pubkey: pasted.trim(), ...terms })),
    done: () => t('sshKeyTaken'),
    changes: [keys.sshKey],
    after: () => setPasted(''),
  });
  const make = useAction({
    run: () => own((manager) => manager.SshKey.Key_Register({ dn, type, ...terms })),
    changes: [keys.sshKey],
    after: setPrivateKey,
  });
  const acts = { take, make };
  const begin = (act: 'take' | 'make') => (before ? setAsked(act) : acts[act].mutate());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin('take');
  };
  return (
    <Card title={t(before ? 'otherSshKey' : 'newSshKey')}>
      <form className="form" onSubmit={submit}>
        <p className="soft">{t('sshKeyReplaced')}</p>
        <Field
          label={t('publicKey')}
          description={t('publicKeyMore')}
          multiline
          mono
          isRequired
          spellCheck="false"
          autoComplete="off"
          maxLength={16_384}
          value={pasted}
          onChange={setPasted}
        />
        <Field
          label={t('days')}
          description={t('daysMore')}
          inputMode="numeric"
          pattern="[0-9]{1,4}"
          autoComplete="off"
          value={days}
          onChange={setDays}
        />
        <div className="form-actions">
          <Button isPending={make.isPending} onPress={() => begin('make')}>
            {t('makeSshKey')}
          </Button>
          <Button type="submit" variant="primary" isPending={take.isPending}>
            {t('takeSshKey')}
          </Button>
        </div>
      </form>
      <Confirm
        title={t('replaceSshKey')}
        lost={[...(before ? namesOf(before) : []), t('removeSshKeyLost')]}
        act={t('replaceSshKey')}
        isOpen={asked !== undefined}
        onConfirm={() => {
          if (asked) acts[asked].mutate();
          setAsked(undefined);
        }}
        onClose={() => setAsked(undefined)}
      />
      {privateKey !== undefined && (
        <PrivateKey type={type} text={privateKey} onClose={() => setPrivateKey(undefined)} />
      )}
    </Card>
  );
}

interface PrivateKeyProps {
  readonly type: SshKeyType;
  readonly text: string;
  readonly onClose: () => void;
}

function PrivateKey({ type, text, onClose }: PrivateKeyProps) {
  const t = useTexts(selfTexts);
  return (
    <Dialog title={t('privateKey')} isOpen onClose={onClose} wide>
      <Notice tone="warn">{t('privateKeyOnce')}</Notice>
      <pre className="private-key">{text}</pre>
      <div className="row">
        <Button
          icon="download"
          onPress={() => download(`id_${type.toLowerCase()}.pem`, `${text.trimEnd()}\n`)}
        >
          {t('download')}
        </Button>
        <CopyButton text={text} />
      </div>
      <div className="form-actions">
        <Button variant="primary" onPress={onClose}>
          {t('privateKeyKept')}
        </Button>
      </div>
    </Dialog>
  );
}
